import { allTasks } from '@/lib/context/tasks'
import { runWorker } from './worker/run'

runWorker(allTasks())
