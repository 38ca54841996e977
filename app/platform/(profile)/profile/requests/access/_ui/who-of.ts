import type { IncomingRequest } from '@/lib/companies/access-requests/contract'

type Texts = (key: 'nameless') => string

/** Returns the name of a request's person: people without a name and an e-mail have a neutral word. */
export const whoOf = ({ user }: Pick<IncomingRequest, 'user'>, t: Texts): string => user.name || t('nameless')
