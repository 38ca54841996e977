import { isUsualOrder } from '@/lib/companies/access-requests/usual-order'

type Texts = (key: 'incomingLead' | 'waitingFirst') => string

/** What incoming requests are, and their order where it isn't what the head of a column says. */
export const incomingLead = (t: Texts, query: Parameters<typeof isUsualOrder>[0]): string =>
  isUsualOrder(query) ? `${t('incomingLead')} ${t('waitingFirst')}` : t('incomingLead')
