import { contracts } from '@/lib/wiring/contracts'
import { describeBadInput } from '../../factories/bad-input'
import { shardOf } from '../../factories/shards'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
describeBadInput(shardOf(contracts, import.meta.filename))
