import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { exportHistory } from './export'
import { listHistory, listHistoryTypes, searchChangers } from './service'
import { streamHistory } from './stream'

export default endpoints(calls, { exportHistory, listHistory, listHistoryTypes, searchChangers, streamHistory })
