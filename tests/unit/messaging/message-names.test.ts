import { expect, test } from 'vitest'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { messageSources } from '@/lib/base/i18n/messages'
import { knownMessages } from '@/lib/messaging/locale-texts/messages'

test.each(textLocales)('every mail and SMS that administrators may rewrite has a name in %s', async (locale) => {
  const texts = await messageSources(locale)
  const unnamed = knownMessages.filter(({ id }) => !texts.get(`message-texts.names.${id}`))
  expect(unnamed.map(({ id }) => id)).toEqual([])
})
