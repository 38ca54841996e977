import type { useTranslations } from 'next-intl'
import { localName } from '@/lib/base/i18n/local-name'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Notice } from '@/lib/news/notifications/contract'

type Words = ReturnType<typeof useTranslations<'notices'>>

/** Returns the texts of a notification in the reader's language. */
export function noticeText(t: Words, locale: string, { kind, values }: Pick<Notice, 'kind' | 'values'>) {
  const role = localName({ name: String(values.role ?? ''), nameEn: String(values.roleEn ?? '') }, locale)
  const name = localName({ name: String(values.name ?? ''), nameEn: String(values.nameEn ?? '') }, locale)
  const [device, person] = [values.device || t('unknownDevice'), values.person || t('nameless')]
  const { application: called, applicationEn } = values
  const application = localName({ name: String(called ?? ''), nameEn: String(applicationEn ?? '') }, locale)
  const textValues = { ...values, role, name, device, person, application }
  // each kind has the values that its text names (lib/news/notifications/kinds.ts)
  const text = wordsOf(t)
  return { title: text(`kinds.${kind}.title`, textValues), text: text(`kinds.${kind}.text`, textValues) }
}
