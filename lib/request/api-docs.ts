import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webhookMessages } from '@/lib/applications/webhooks/types'
import { openApiDocument } from '@/lib/base/http/openapi'
import { env } from '@/lib/base/runtime/env'
import { contracts } from '@/lib/wiring/contracts'
import packageJson from '@/package.json'
import { cookieName } from './cookies'

/** Returns the OpenAPI document of the REST API. */
export const openApi = () =>
  Response.json(
    openApiDocument(contracts, {
      version: packageJson.version,
      cookie: cookieName('session'),
      webhooks: webhookMessages,
      // production never has the demo's accounts
      demo: env().PLATFORM_MODE !== 'production',
    }),
  )

/** Returns the viewer of the OpenAPI document. Its script is served by this platform, with the nonce of the page. */
export function docsPage(request: Request) {
  const nonce = /'nonce-([\w+/=-]+)'/.exec(request.headers.get('content-security-policy') ?? '')?.[1] ?? ''
  const settings = JSON.stringify({
    url: '/api/v1/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="/icon.svg">
</head>
<body>
<div id="api"></div>
<script nonce="${nonce}" src="/api/v1/docs/viewer.js"></script>
<script nonce="${nonce}">Scalar.createApiReference('#api', ${settings})</script>
</body>
</html>`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
}

let script: Promise<Uint8Array<ArrayBuffer>> | undefined

/** Returns the viewer's script from its package. */
export async function docsScript() {
  script ??= readFile(join(process.cwd(), 'node_modules/@scalar/api-reference/dist/browser/standalone.js')).then(
    (bytes) => new Uint8Array(bytes),
  )
  return new Response(await script, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
