import { useTranslations } from 'next-intl'
import { Calm } from '@/components/ui/calm'
import { Criticality } from '@/components/ui/criticality'
import { UptimeStrip } from '@/components/ui/uptime-strip'

type Bar = 'none' | 'good' | 'stuck' | 'partly' | 'bad'

/** A day in half hours: `start` first, then good ones with the faults at their places. */
const day = (start: number, faults: Readonly<Record<number, Bar>>): Bar[] =>
  Array.from({ length: 48 }, (_, index) => (index < start ? 'none' : (faults[index] ?? 'good')))

const days = {
  bars: day(6, { 20: 'partly', 30: 'bad', 31: 'bad', 40: 'stuck' }),
  quiet: day(0, {}),
  unknown: day(48, {}),
} as const

/** Services with their day and their criticality, and the note that there are no problems. */
export function HealthSample() {
  const t = useTranslations('gallery.health')
  return (
    <div className="grid gap-6">
      <dl className="grid gap-x-8 gap-y-3 @min-[40rem]:grid-cols-[minmax(0,1fr)_12rem]">
        {(['bars', 'quiet', 'unknown'] as const).map((name) => (
          <div key={name} className="contents">
            <dt className="text-ink-second">{t(name)}</dt>
            <dd>
              <UptimeStrip bars={days[name]} label={t(name)} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="flex flex-wrap gap-6">
        {(['1', '2', '3'] as const).map((level) => (
          <Criticality key={level} level={Number(level)}>
            {t(`levels.${level}`)}
          </Criticality>
        ))}
      </p>
      <Calm title={t('calmTitle')} text={t('calmText')} />
    </div>
  )
}
