import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { incomingLead } from '@/app/platform/(profile)/profile/requests/access/_ui/incoming-lead'
import { loadMessages } from '@/lib/base/i18n/messages'
import { readListAddress } from '@/lib/base/lists/list-address'
import { AccessRequestQuery } from '@/lib/companies/access-requests/contract'

test.each([
  ['ru', 'Сначала идут те, что ждут решения'],
  ['en', 'Those that wait for a decision come first'],
] as const)('the lead of incoming requests says in %s that those that wait come first', async (locale, words) => {
  const t = createTranslator({ locale, messages: await loadMessages(locale), namespace: 'access-requests' })
  const leadOf = (sort: Record<string, string>) =>
    incomingLead(t, readListAddress(AccessRequestQuery, '/', sort).query).replaceAll('\u00a0', ' ')
  expect(leadOf({})).toContain(words)
  // as soon as the reader chooses an order, it is the only one
  expect(leadOf({ sortBy: 'requestDate', sort: 'asc' })).not.toContain(words)
  expect(leadOf({ sortBy: 'requestCompanyName', sort: 'asc' })).not.toContain(words)
})
