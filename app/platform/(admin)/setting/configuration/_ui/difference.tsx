'use client'

import { ChevronRight } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useDeferredValue, useState } from 'react'
import { ownField } from '@/components/form/field-name'
import { TextField } from '@/components/form/text-field'
import { DiffRow, DiffValue } from '@/components/history/diff-row'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { wordsOf } from '@/lib/base/i18n/words'
import { isFound } from '@/lib/base/lists/search-form'
import type { Change } from '@/lib/operations/configuration-file/contract'

const tones = { create: 'ok', update: 'info', delete: 'danger' } as const

/** Returns how many objects are created, changed and deleted. */
export function countsOf(changes: readonly Change[]) {
  const of = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).length
  return { create: of('create'), update: of('update'), delete: of('delete') }
}

/** Returns a function that describes changes in words: “1 is created, 4 are changed”. */
export function useChangesText() {
  const t = useTranslations('configuration')
  const format = useFormatter()
  return (changes: readonly Change[]) => {
    const counts = Object.entries(countsOf(changes)) as [Change['kind'], number][]
    return format.list(counts.flatMap(([kind, count]) => (count > 0 ? [t(`will.${kind}`, { count })] : [])))
  }
}

const textsOf = ({ key, fields }: Change, section: string) => [
  section,
  key,
  ...fields.flatMap(({ field, before, after }) => [field, before, after]),
]

/** What an import would do, by kind of object; each object unfolds to its fields. */
export function Difference({ changes }: { changes: readonly Change[] }) {
  const t = useTranslations('configuration')
  const names = wordsOf(useTranslations('configuration.sections'))
  const changesText = useChangesText()
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search)
  const matching = changes.filter((change) => isFound(words, textsOf(change, names(change.section))))
  const sections = [...new Set(matching.map(({ section }) => section))]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid gap-1">
          <h3 className="text-section">{t('difference')}</h3>
          <p className="text-ink-second text-table">{t('willBe', { changes: changesText(changes) })}</p>
        </div>
        <div className="w-full @min-[40rem]:w-72">
          <TextField
            id="configuration-search"
            name={ownField('search')}
            label={t('search')}
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
      </div>
      <p role="status" className={matching.length > 0 ? 'sr-only' : 'text-ink-second text-table'}>
        {matching.length > 0 ? '' : `${t('nothingFound')}. ${t('nothingFoundText')}`}
      </p>
      {sections.map((section) => (
        <section key={section} aria-label={names(section)} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h4 className="font-semibold">{names(section)}</h4>
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {matching
              .filter((change) => change.section === section)
              .map((change) => (
                <li key={change.key}>
                  <ChangedObject change={change} open={matching.length === 1} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ChangedObject({ change: { key, kind, fields }, open }: { change: Change; open: boolean }) {
  const t = useTranslations('configuration')
  return (
    <details className="group" open={open}>
      <summary className="flex cursor-pointer items-center gap-3 px-4 py-2.5 pointer-coarse:min-h-11">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-ink-second transition-transform group-open:rotate-90"
        />
        <span className="wrap-anywhere min-w-0 grow font-medium text-table">{key}</span>
        <Pill tone={tones[kind]}>{t(`kinds.${kind}`)}</Pill>
      </summary>
      <dl className="@container divide-y divide-line border-line border-t px-4">
        {fields.map(({ field, before, after }) => (
          <DiffRow
            key={field}
            label={<Mono>{field}</Mono>}
            words={{ was: t('was'), is: t('is') }}
            previous={kind === 'create' ? null : <Side side="previous" value={before} />}
            current={kind === 'delete' ? null : <Side side="current" value={after} />}
          />
        ))}
      </dl>
    </details>
  )
}

function Side({ side, value }: { side: 'previous' | 'current'; value: string | null }) {
  const t = useTranslations('configuration')
  if (value === null || value === '') return <span className="text-ink-second">{t('none')}</span>
  return <DiffValue side={side}>{value}</DiffValue>
}
