import { passkeyScriptText } from '@/components/plain/passkey-script'
import { immutableResponse } from '@/lib/base/http/immutable-response'

/** The script of public pages that offer passkeys. */
export const GET = (request: Request) => immutableResponse(request, passkeyScriptText, 'text/javascript; charset=utf-8')
