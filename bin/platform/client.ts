import { StartFault } from '../start-fault'
import { type Noun, UsageFault, verb } from './noun'

const list = { type: 'string', array: true, nargs: 1 } as const

const create = verb(
  'create',
  'Creates a client of an application, by which it signs people in',
  (own) =>
    own
      .option('application', { type: 'string', demandOption: true, describe: 'the code of the application' })
      .option('client-id', {
        type: 'string',
        describe: 'up to 64 letters, digits, hyphens, underscores; by default the code of the application',
      })
      .option('name', { type: 'string', describe: "by default the client's id" })
      .option('redirect', { ...list, describe: 'where people come back after signing in; may be given again' })
      .option('post-logout', { ...list, describe: 'where they may go after signing out; may be given again' })
      .option('backchannel', { type: 'string', describe: 'where logout tokens are sent' })
      .option('public', { type: 'boolean', describe: 'an application that has no secret: in a browser, on a device' })
      .option('native', {
        type: 'boolean',
        describe: "a program on people's own machines: loopback addresses with any port, private-use schemes",
      })
      .option('without-pkce', { type: 'boolean', describe: 'for products that send no PKCE; not for public clients' })
      .option('id-token-alg', { type: 'string', default: 'RS256', describe: 'RS256, PS256 or ES256' })
      .option('post', { type: 'boolean', describe: 'the secret is sent in the form (client_secret_post)' })
      .option('grant', {
        ...list,
        default: ['authorization_code', 'refresh_token'],
        describe: 'may be given again: client_credentials, urn:ietf:params:oauth:grant-type:device_code',
      }),
  async ({ application, 'client-id': clientId = application, name = clientId, ...options }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { applicationId } = await import('@/lib/applications/applications/service')
    const { parseOrThrow } = await import('@/lib/base/http/read')
    const { CreateClientInput } = await import('@/lib/openid/clients/contract')
    const { createClient } = await import('@/lib/openid/clients/service')
    const { issuer } = await import('@/lib/openid/issuer')
    await runCommand(async () => {
      const id = await applicationId(application)
      if (!id) throw new StartFault(`there is no application with the code ${application}`)
      const input = parseOrThrow(CreateClientInput, {
        applicationId: id,
        clientId,
        name,
        applicationType: options.native ? 'native' : 'web',
        idTokenAlg: options['id-token-alg'],
        pkceRequired: !options['without-pkce'],
        redirectUris: options.redirect ?? [],
        postLogoutRedirectUris: options['post-logout'] ?? [],
        backchannelLogoutUri: options.backchannel ?? null,
        grantTypes: options.grant,
        accessTokenLifespan: null,
        refreshTokenLifespan: null,
        authMethod: options.public ? 'none' : options.post ? 'client_secret_post' : 'client_secret_basic',
      })
      const { secret } = await createClient(await shellContext(), input)
      console.log(`Issuer:        ${issuer()}`)
      console.log(`Client id:     ${clientId}`)
      console.log(secret ? `Client secret: ${secret}` : 'This client has no secret: it proves itself by PKCE.')
    })
  },
)

/** The longest overlap of two secrets, in hours. */
const longestOverlap = 30 * 24

const secret = verb(
  'secret',
  "Prints a client's secret, or makes a new one. Each reading and each new secret is in the history",
  (own) =>
    own
      .option('client-id', { type: 'string', demandOption: true })
      .option('replace', {
        type: 'boolean',
        describe: 'makes a new secret, also for a client that ships with the platform',
      })
      .option('overlap', {
        type: 'number',
        describe: 'for how many hours the previous secret stays valid: 24 by default, 0 to end it at once',
      })
      .check(({ replace, overlap }) => {
        if (overlap === undefined) return true
        if (!replace) throw new UsageFault('--overlap belongs to --replace')
        if (!Number.isInteger(overlap) || overlap < 0 || overlap > longestOverlap)
          throw new UsageFault(`--overlap is a number of hours from 0 to ${longestOverlap}`)
        return true
      }),
  async ({ 'client-id': clientId, replace, overlap = 24 }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { readClientSecret, rotateClientSecret } = await import('@/lib/openid/clients/service')
    await runCommand(async () => {
      const ctx = await shellContext()
      const made = replace
        ? await rotateClientSecret(ctx, { clientId, overlap: overlap * 3_600 })
        : await readClientSecret(ctx, { clientId })
      console.log(made.secret)
    })
  },
)

export const client: Noun = { describe: 'Clients of applications', verbs: [create, secret] }
