import { contracts } from '@/lib/wiring/contracts'
import { describeHostileInput } from '../../factories/hostile-calls'
import { shardOf } from '../../factories/shards'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
describeHostileInput(shardOf(contracts, import.meta.filename))
