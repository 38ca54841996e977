import { env } from '@/lib/base/runtime/env'

/** Returns the issuer, which is the same for all domains. */
export const issuer = () => new URL('/oidc', env().PUBLIC_URL).href
