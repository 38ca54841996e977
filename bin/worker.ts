import { allTasks } from '@/lib/wiring/tasks'
import { runWorker } from './worker/run'

runWorker(allTasks())
