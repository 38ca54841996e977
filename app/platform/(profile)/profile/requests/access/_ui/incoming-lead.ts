import { isUsualOrder } from '@/lib/companies/access-requests/usual-order'

type Texts = (key: 'incomingLead' | 'waitingFirst') => string

/** Returns the lead of incoming requests, and of their order if no column head shows it. */
export const incomingLead = (t: Texts, query: Parameters<typeof isUsualOrder>[0]): string =>
  isUsualOrder(query) ? `${t('incomingLead')} ${t('waitingFirst')}` : t('incomingLead')
