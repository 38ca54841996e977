import { generateKeyPairSync } from 'node:crypto'
import Provider from 'oidc-provider'
import { bareClient } from './bare-client'

// oidc-provider with its defaults: everything in memory, one client, nothing of the platform
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { PORT = '' } = process.env
const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [
    {
      client_id: bareClient.id,
      client_secret: bareClient.secret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bare', use: 'sig', alg: 'RS256' }] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
  },
})

provider.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
