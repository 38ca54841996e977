/** The data of a client that a snippet needs. */
type SnippetClient = {
  issuer: string
  clientId: string
  /** Its first redirect address. */
  redirect: string | undefined
  authMethod: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none'
  grantTypes: readonly string[]
}

export type Snippet = { id: 'openid-client' | 'next-auth' | 'authlib' | 'spring'; code: string }

const callback = 'https://app.example.com/callback'
const scope = 'openid profile email roles'
const spring = 'spring.security.oauth2.client'

/** Returns a text as a literal of JavaScript or Python: an address may have quotes, but no backslashes. */
const literal = (text: string, quote: "'" | '"') => `${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}`

/** Returns the snippets for an application without people: they get a token of its service account. */
function machineSnippets({ issuer, clientId }: SnippetClient): Snippet[] {
  return [
    {
      id: 'openid-client',
      code: `import * as client from 'openid-client'

const config = await client.discovery(
  new URL('${issuer}'),
  '${clientId}',
  process.env.CLIENT_SECRET,
)
const { access_token } = await client.clientCredentialsGrant(config)`,
    },
    {
      id: 'next-auth',
      code: `// app/api/report/route.ts: a server asks for a token by itself
export async function GET() {
  const answer = await fetch('${issuer}/token', {
    method: 'POST',
    headers: {
      authorization: \`Basic \${btoa(\`${clientId}:\${process.env.CLIENT_SECRET}\`)}\`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = await answer.json()
  return Response.json({ received: Boolean(access_token) })
}`,
    },
    {
      id: 'authlib',
      code: `import os
from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${clientId}", os.environ["CLIENT_SECRET"])
token = session.fetch_token(
    "${issuer}/token", grant_type="client_credentials"
)`,
    },
    {
      id: 'spring',
      code: `# application.properties
${spring}.registration.platform.client-id=${clientId}
${spring}.registration.platform.client-secret=\${CLIENT_SECRET}
${spring}.registration.platform.authorization-grant-type=client_credentials
${spring}.provider.platform.token-uri=${issuer}/token`,
    },
  ]
}

/**
 * Returns code for four frameworks with which an application uses this client. It contains the client's own values, and
 * reads the secret from the application's environment.
 */
export function snippetsOf(client: SnippetClient): Snippet[] {
  const { issuer, clientId, redirect = callback, authMethod, grantTypes } = client
  if (!grantTypes.includes('authorization_code') && grantTypes.includes('client_credentials'))
    return machineSnippets(client)
  const isPublic = authMethod === 'none'
  const origin = /^https?:/.test(redirect) ? new URL(redirect).origin : 'https://app.example.com'
  return [
    {
      id: 'openid-client',
      code: `import * as client from 'openid-client'

const config = await client.discovery(
  new URL('${issuer}'),
  '${clientId}',
  ${isPublic ? 'undefined,\n  client.None(),' : 'process.env.CLIENT_SECRET,'}
)
const verifier = client.randomPKCECodeVerifier()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${literal(redirect, "'")},
  scope: '${scope}',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
// lead the browser to url; when it comes back:
const tokens = await client.authorizationCodeGrant(
  config,
  currentUrl,
  { pkceCodeVerifier: verifier },
)
const person = tokens.claims()`,
    },
    {
      id: 'next-auth',
      code: `// redirect address: ${origin}/api/auth/callback/platform
export const authOptions = {
  providers: [
    {
      id: 'platform',
      name: 'Platform',
      type: 'oauth',
      wellKnown: '${issuer}/.well-known/openid-configuration',
      clientId: '${clientId}',
      ${isPublic ? "client: { token_endpoint_auth_method: 'none' }," : 'clientSecret: process.env.CLIENT_SECRET,'}
      authorization: { params: { scope: '${scope}' } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      // openid-client gives up after 3.5 seconds by itself
      httpOptions: { timeout: 10_000 },
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
}`,
    },
    {
      id: 'authlib',
      code: `import os
from authlib.integrations.flask_client import OAuth

oauth = OAuth(app)
oauth.register(
    "platform",
    client_id="${clientId}",
    ${isPublic ? 'token_endpoint_auth_method="none",' : 'client_secret=os.environ["CLIENT_SECRET"],'}
    server_metadata_url="${issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "${scope}", "code_challenge_method": "S256"},
)

@app.route("/sign-in")
def sign_in():
    return oauth.platform.authorize_redirect(${literal(redirect, '"')})

# at the redirect address
person = oauth.platform.authorize_access_token()["userinfo"]`,
    },
    {
      id: 'spring',
      code: `# application.properties
${spring}.registration.platform.client-id=${clientId}
${isPublic ? `${spring}.registration.platform.client-authentication-method=none` : `${spring}.registration.platform.client-secret=\${CLIENT_SECRET}`}
${spring}.registration.platform.authorization-grant-type=authorization_code
${spring}.registration.platform.redirect-uri=${redirect}
${spring}.registration.platform.scope=${scope.replaceAll(' ', ',')}
${spring}.provider.platform.issuer-uri=${issuer}`,
    },
  ]
}
