import { contracts } from '@/lib/wiring/contracts'
import { describeAccess } from '../../factories/access-matrix'
import { shardOf } from '../../factories/shards'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
describeAccess(shardOf(contracts, import.meta.filename))
