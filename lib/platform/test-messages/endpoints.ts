import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { sendTestMail, sendTestSms } from './service'

export default endpoints(calls, { sendTestMail, sendTestSms })
