import { findProviderName, providersOfMailDomain } from './queries'

/** Whether an enabled provider claims the e-mail's domain; asks nothing about accounts. The e-mail is in lower case. */
export const isDirectoryEmail = async (email: string): Promise<boolean> =>
  (await providersOfMailDomain(email.slice(email.lastIndexOf('@') + 1))).length > 0

/** How people call a provider; empty for one that is gone. */
export const providerName = async (id: string): Promise<string> => (await findProviderName(id)) ?? ''
