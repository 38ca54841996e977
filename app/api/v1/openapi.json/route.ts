import { webhookMessages } from '@/lib/applications/webhooks/types'
import { openApiDocument } from '@/lib/base/http/openapi'
import { env } from '@/lib/base/runtime/env'
import { cookieName } from '@/lib/request/cookies'
import { contracts } from '@/lib/wiring/contracts'
import packageJson from '@/package.json'

export const GET = () =>
  Response.json(
    openApiDocument(contracts, {
      version: packageJson.version,
      cookie: cookieName('session'),
      webhooks: webhookMessages,
      // production never has the demo's accounts
      demo: env().PLATFORM_MODE !== 'production',
    }),
  )
