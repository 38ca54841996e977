import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  activateAuthenticationSchema,
  createAuthenticationSchema,
  deleteAuthenticationSchema,
  listAuthenticationSchemas,
  listSchemaFlows,
  orderAuthenticationSchemas,
  previewAuthenticationSchema,
  updateAuthenticationSchema,
} from './service'

export default endpoints(calls, {
  activateAuthenticationSchema,
  createAuthenticationSchema,
  deleteAuthenticationSchema,
  listAuthenticationSchemas,
  listSchemaFlows,
  orderAuthenticationSchemas,
  previewAuthenticationSchema,
  updateAuthenticationSchema,
})
