import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listExchanges, readExchangeRequest, readExchangeResponse, searchIntegrationKeys } from './service'

export default endpoints(calls, { listExchanges, readExchangeRequest, readExchangeResponse, searchIntegrationKeys })
