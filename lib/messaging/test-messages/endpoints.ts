import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { sendTestMail, sendTestSms } from './service'

export default endpoints(calls, { sendTestMail, sendTestSms })
