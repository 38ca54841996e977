import { generateKeyPairSync } from 'node:crypto'
import * as clients from '@/lib/openid/clients/contract'
import {
  clientBody,
  newClient,
  readApplication,
  refusals,
  withGivenMethod,
} from '../../factories/administered-applications'
import { clientInput, newApplication } from '../../factories/applications'
import type { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'

type Client = Awaited<ReturnType<typeof newClient>>
const clientOf = async (caller: Caller, { application, clientId }: Client) =>
  (await readApplication(caller, application)).clients.find((client) => client.clientId === clientId) ?? null
const update = (values: object = {}) => ({ ...clientInput, ...values })
const faults = (input: (values: object) => Promise<object> | object) => ({
  errorNativeAddress: {
    field: 'redirectUris.0',
    input: async () => (await input({ redirectUris: ['com.example.app:/callback'] })) as never,
  },
  errorPkceNeeded: {
    field: 'pkceRequired',
    input: async () => (await input({ pkceRequired: false, applicationType: 'native' })) as never,
  },
  errorRefreshGrant: {
    field: 'grantTypes',
    input: async () => (await input({ grantTypes: ['refresh_token'] })) as never,
  },
  errorRefreshTokenLifespan: {
    field: 'refreshTokenLifespan',
    input: async () =>
      (await input({
        grantTypes: ['authorization_code', 'refresh_token'],
        accessTokenLifespan: 600,
        refreshTokenLifespan: 60,
      })) as never,
  },
})
const refusedClient = (input: (client: Client) => Promise<object> | object) =>
  refusals(async (made) => input(await newClient(made)))
const params = ({ clientId }: Client) => ({ params: { clientId } })
const machine = { grantTypes: ['client_credentials'], redirectUris: [] }

const withoutSecret = () => newClient(undefined, { authMethod: 'none' })
const publicKey = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })

export default [
  proof(clients.createClient, {
    makes: ['create oidcClients'],
    prepare: async () => ({ application: await newApplication(), ...clientBody() }),
    input: ({ application, ...values }) => ({ params: { id: application.id }, body: values }),
    look: clientOf,
    shows: ({ clientId }, { secret }) => ({
      clientId,
      authMethod: 'client_secret_basic',
      secrets: [{ tail: secret?.slice(-4) }],
    }),
    errors: {
      ...refusals(({ id }) => ({ params: { id }, body: clientBody() })),
      ...faults(async (values) => ({ params: { id: (await newApplication()).id }, body: clientBody(values) })),
      errorPublicClient: {
        field: 'grantTypes',
        input: async () => ({
          params: { id: (await newApplication()).id },
          body: clientBody({ ...machine, authMethod: 'none' }),
        }),
      },
      errorUnique: {
        field: 'clientId',
        input: async () => {
          const { application, clientId } = await newClient()
          return { params: { id: application.id }, body: clientBody({ clientId }) }
        },
      },
    },
  }),
  proof(clients.updateClient, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: (client) => ({
      ...params(client),
      body: update({ name: 'Other', pkceRequired: false, allowedOrigins: ['https://spa.example/'] }),
    }),
    look: clientOf,
    shows: () => ({ name: 'Other', pkceRequired: false, allowedOrigins: ['https://spa.example'], methods: [] }),
    errors: {
      ...refusedClient((client) => ({ ...params(client), body: update() })),
      ...faults(async (values) => ({ ...params(await newClient()), body: update(values) })),
      errorPublicClient: {
        field: 'grantTypes',
        input: async () => ({ ...params(await newClient(undefined, { authMethod: 'none' })), body: update(machine) }),
      },
    },
  }),
  proof(clients.deleteClient, {
    makes: ['delete oidcClients'],
    prepare: async () => newClient(),
    input: params,
    look: async (caller, client) => ({ found: (await clientOf(caller, client)) !== null }),
    shows: () => ({ found: false }),
    errors: {
      ...refusedClient(params),
      forbiddenClient: { input: async () => params(await newClient(await withGivenMethod())) },
    },
  }),
  proof(clients.enableClient, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: (client) => ({ ...params(client), body: { enabled: false } }),
    look: clientOf,
    shows: () => ({ enabled: false }),
    errors: refusedClient((client) => ({ ...params(client), body: { enabled: false } })),
  }),
  proof(clients.updateClientAuthentication, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: (client) => ({ ...params(client), body: { authMethod: 'none' as const } }),
    look: clientOf,
    shows: () => ({ authMethod: 'none', type: 'public', secrets: [] }),
    errors: {
      ...refusedClient((client) => ({ ...params(client), body: { authMethod: 'none' as const } })),
      errorPublicClient: {
        field: 'authMethod',
        input: async () => ({ ...params(await newClient(undefined, machine)), body: { authMethod: 'none' as const } }),
      },
    },
  }),
  proof(clients.updateClientKeys, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: (client) => ({ ...params(client), body: { jwksUri: 'https://app.example/keys.json' } }),
    look: clientOf,
    shows: () => ({ authMethod: 'private_key_jwt', jwksUri: 'https://app.example/keys.json', secrets: [] }),
    errors: {
      ...refusedClient((client) => ({ ...params(client), body: { jwksUri: 'https://app.example/keys.json' } })),
      ...Object.fromEntries(
        Object.entries({
          errorKey: 'no keys',
          errorPrivateKey: JSON.stringify({ keys: [{ ...publicKey(), d: 'AA' }] }),
          errorKeyId: JSON.stringify({ keys: [publicKey(), publicKey()] }),
        }).map(([code, jwks]) => [
          code,
          { field: 'jwks', input: async () => ({ ...params(await newClient()), body: { jwks } }) },
        ]),
      ),
      errorKeysTwice: {
        field: 'jwksUri',
        input: async () => ({
          ...params(await newClient()),
          body: { jwks: '{}', jwksUri: 'https://app.example/keys.json' },
        }),
      },
    },
  }),
  proof(clients.readClientSecret, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: params,
    shows: ({ clientId }) => ({ secret: `${clientId}-Qx7e` }),
    errors: {
      ...refusedClient(params),
      clientWithoutSecret: { input: async () => params(await withoutSecret()) },
    },
  }),
  proof(clients.rotateClientSecret, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: (client) => ({ ...params(client), body: { overlap: 3600 } }),
    look: clientOf,
    shows: (_, { secret }) => ({ secrets: [{ tail: secret.slice(-4), until: null }, { tail: 'Qx7e' }] }),
    errors: {
      ...refusedClient((client) => ({ ...params(client), body: {} })),
      clientWithoutSecret: { input: async () => ({ ...params(await withoutSecret()), body: {} }) },
    },
  }),
  proof(clients.endPreviousSecret, {
    makes: ['update oidcClients'],
    prepare: async () => newClient(),
    input: params,
    look: async (caller, client) => ({ tails: (await clientOf(caller, client))?.secrets.map(({ tail }) => tail) }),
    shows: () => ({ tails: ['Qx7e'] }),
    errors: refusedClient(params),
  }),
]
