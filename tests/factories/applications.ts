import { randomUUID } from 'node:crypto'
import { createApplication } from '@/lib/applications/applications/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { createContext } from './context'

export const administrator = () => createContext({ methods: [...systemicMethods] })

/** An application of another owner without clients, made by somebody who holds every method. */
export const newApplication = async (values: object = {}) =>
  createApplication(await administrator(), {
    type: 'external',
    name: randomUUID(),
    nameEn: '',
    description: '',
    descriptionEn: '',
    url: `https://${randomUUID()}.example/`,
    menuVisible: false,
    parentId: null,
    ...values,
  })

export const clientInput = {
  name: 'Client',
  applicationType: 'web' as const,
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  grantTypes: ['authorization_code' as const],
  accessTokenLifespan: null,
  refreshTokenLifespan: null,
  idTokenAlg: 'RS256' as const,
}
