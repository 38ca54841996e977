import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { exportAcceptances } from './export'
import {
  listAcceptances,
  listReminderRuns,
  readCampaign,
  readReminderRun,
  readReminderRunFaults,
  resumeReminderRun,
  startReminders,
  stopReminderRun,
} from './service'

export default endpoints(calls, {
  exportAcceptances,
  listAcceptances,
  listReminderRuns,
  readCampaign,
  readReminderRun,
  readReminderRunFaults,
  resumeReminderRun,
  startReminders,
  stopReminderRun,
})
