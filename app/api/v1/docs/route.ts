/** The viewer of the OpenAPI document. Its script is served by this platform, with the nonce of the page. */
export function GET(request: Request) {
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
