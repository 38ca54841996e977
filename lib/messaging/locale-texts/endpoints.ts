import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { exportLocaleTexts, listLocaleTexts, writeLocaleTexts } from './service'

export default endpoints(calls, { exportLocaleTexts, listLocaleTexts, writeLocaleTexts })
