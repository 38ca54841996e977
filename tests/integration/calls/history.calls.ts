import { searchChangers } from '@/lib/operations/history/contract'
import { provenIn } from '../../factories/proofs'

// who may read the history alone sees nobody: each object needs the method of its area too
export default [provenIn(searchChangers, ['entity-history.test.ts'])]
