import packageJson from '@/package.json'
import { contracts } from '@/lib/context/contracts'
import { cookieName } from '@/lib/context/cookies'
import { openApiDocument } from '@/lib/kernel/http/openapi'

export const GET = () =>
  Response.json(openApiDocument(contracts, { version: packageJson.version, cookie: cookieName('session') }))
