import { useTranslations } from 'next-intl'
import { Mono } from './mono'

/** The first few of a row's addresses or codes, and how many more there are. */
export function MonoList({ values, max = 2 }: { values: string[]; max?: number }) {
  const t = useTranslations('ui')
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {values.slice(0, max).map((value) => (
        <Mono key={value}>{value}</Mono>
      ))}
      {values.length > max ? (
        <span className="text-ink-second">{t('andMore', { count: values.length - max })}</span>
      ) : null}
    </span>
  )
}
