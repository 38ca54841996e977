import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import { recentChanges } from '@/lib/my-account/personal/recent'

/** The last changes of the own account, and who made them; renders nothing if there are none. */
export async function Recent({ ctx }: { ctx: Ctx }) {
  const [t, words, changes] = await Promise.all([
    getTranslations('profile.recent'),
    getTranslations().then(wordsOf),
    recentChanges(ctx),
  ])
  if (changes.length === 0) return null
  return (
    <CardGroup title={t('title')}>
      <KeyValues>
        {changes.map(({ at, by, you, what }) => (
          <KeyValue key={at} label={<DateTime value={at} />}>
            {what.map((field) => ('label' in field ? words(field.label) : field.title)).join(', ')}
            <span className="text-ink-second text-note">{you ? t('you') : by ? t('by', { by }) : t('platform')}</span>
          </KeyValue>
        ))}
      </KeyValues>
    </CardGroup>
  )
}
