import { relyingPartyId } from '@/lib/base/http/relying-party'
import { servedDomains } from '@/lib/site/domains/service'

/**
 * The origins at which browsers may use the passkeys of this platform: those of its domains (WebAuthn, section
 * 5.11.1).
 */
export async function GET() {
  if (!relyingPartyId()) return new Response(null, { status: 404 })
  const origins = (await servedDomains()).map(({ origin }) => origin)
  return Response.json({ origins: [...new Set(origins)] }, { headers: { 'cache-control': 'public, max-age=300' } })
}
