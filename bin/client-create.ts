import { parseArgs } from 'node:util'
import { applicationId } from '@/lib/applications/applications/service'
import { parseOrThrow } from '@/lib/base/http/read'
import { CreateClientInput } from '@/lib/openid/clients/contract'
import { createClient } from '@/lib/openid/clients/service'
import { issuer } from '@/lib/openid/issuer'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run client:create -- --application <code> [options]

  --client-id <id>        up to 64 letters, digits, hyphens, underscores; the application's code by default
  --name <name>           by default the client's id
  --redirect <address>    where people come back after signing in; may be given again
  --post-logout <address> where they may go after signing out; may be given again
  --backchannel <address> where logout tokens are sent
  --public                an application that can't keep a secret: in a browser, on a device
  --native                a program on people's own machines: loopback addresses with any port, private-use schemes
  --without-pkce          for products that send no PKCE; confidential clients alone
  --id-token-alg <alg>    RS256 (default), PS256 or ES256
  --post                  the secret is sent in the form (client_secret_post), not in the header
  --grant <grant>         authorization_code and refresh_token by default; may be given again: client_credentials,
                          urn:ietf:params:oauth:grant-type:device_code`

function wanted() {
  try {
    const text = { type: 'string' } as const
    const list = { type: 'string', multiple: true } as const
    const flag = { type: 'boolean' } as const
    const { values } = parseArgs({
      options: {
        application: text,
        'client-id': text,
        name: text,
        redirect: list,
        'post-logout': list,
        backchannel: text,
        grant: list,
        public: flag,
        post: flag,
        native: flag,
        'without-pkce': flag,
        'id-token-alg': text,
      },
    })
    const { application } = values
    if (application) return { ...values, application }
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(wanted, async ({ application, 'client-id': clientId = application, name = clientId, ...given }) => {
  const id = await applicationId(application)
  if (!id) throw new StartFault(`there is no application with the code ${application}`)
  const input = parseOrThrow(CreateClientInput, {
    applicationId: id,
    clientId,
    name,
    applicationType: given.native ? 'native' : 'web',
    idTokenAlg: given['id-token-alg'] ?? 'RS256',
    pkceRequired: !given['without-pkce'],
    redirectUris: given.redirect ?? [],
    postLogoutRedirectUris: given['post-logout'] ?? [],
    backchannelLogoutUri: given.backchannel ?? null,
    grantTypes: given.grant ?? ['authorization_code', 'refresh_token'],
    accessTokenLifespan: null,
    refreshTokenLifespan: null,
    authMethod: given.public ? 'none' : given.post ? 'client_secret_post' : 'client_secret_basic',
  })
  const { secret } = await createClient(await shellContext(), input)
  console.log(`Issuer:        ${issuer()}`)
  console.log(`Client id:     ${clientId}`)
  console.log(secret ? `Client secret: ${secret}` : 'This client has no secret: it proves itself by PKCE.')
})
