import { contracts } from '@/lib/context/contracts'
import { cookieName } from '@/lib/context/cookies'
import { env } from '@/lib/kernel/env'
import { openApiDocument } from '@/lib/kernel/http/openapi'
import { webhookMessages } from '@/lib/platform/webhooks/types'
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
