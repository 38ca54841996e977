import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import { Pill } from '@/components/ui/pill'
import { hasItems } from '@/lib/fields/dynamic-fields/rules'
import { Flags } from './flags'
import type { Field } from './read-fields'

const columns =
  '@min-[36rem]:grid-cols-[minmax(0,1fr)_auto] @min-[50rem]:grid-cols-[minmax(0,1fr)_8.5rem_5.5rem_5.5rem_5.5rem]'

/** The heads of the columns of fields. */
export function FieldHeads() {
  const t = useTranslations('dynamic-fields')
  return (
    <div className={cn('grid gap-x-4', columns)}>
      {(['field', 'fieldType', 'admin', 'profile', 'integration'] as const).map((head) => (
        <span key={head}>{t(`heads.${head}`)}</span>
      ))}
    </div>
  )
}

/** A field in its row: its name and code, its type, and who sees, changes and must fill it in. */
export function FieldRow({ field, name, made }: { field: Field; name: string; made: boolean }) {
  const t = useTranslations('dynamic-fields')
  const tu = useTranslations('ui.list')
  const notes = [
    field.unique && t('isUnique'),
    hasItems(field) && field.items.length > 0 && t('countOfItems', { count: field.items.length }),
    field.multiple && t('isMultiple'),
  ].filter((note) => note !== false)
  const groups = [
    { key: 'admin', flags: flagsOf(field, 'admin') },
    { key: 'profile', flags: flagsOf(field, 'profile') },
    { key: 'integration', flags: [['required', field.integrationRequired]] as const },
  ] as const
  return (
    <div
      id={`field-${field.id}`}
      data-created={made ? '' : undefined}
      className={cn('scroll-mt-24 rounded-control target:bg-brand-tint grid items-center gap-x-4 gap-y-1.5', columns)}
    >
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words font-medium">{name}</span>
          {made ? <Pill tone="ok">{tu('new')}</Pill> : null}
          {field.active ? null : <Pill>{t('off')}</Pill>}
        </p>
        <code className="break-all font-mono text-ink-second text-note">{field.code}</code>
      </div>
      <p className="grid min-w-0 text-table">
        <span className="break-words">{t(`fieldTypes.${field.fieldType}`)}</span>
        {notes.length > 0 ? <span className="text-ink-second text-note">{notes.join(', ')}</span> : null}
      </p>
      <div className="flex flex-wrap gap-x-2 gap-y-1 @min-[36rem]:gap-x-4 @min-[36rem]:col-start-2 @min-[36rem]:row-span-2 @min-[36rem]:row-start-1 @min-[36rem]:flex-nowrap @min-[50rem]:contents">
        {groups.map(({ key, flags }) => (
          <p key={key} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @min-[36rem]:grid">
            <span className="text-ink-second text-note @min-[50rem]:sr-only">{t(`heads.${key}`)}</span>
            <Flags flags={flags} />
          </p>
        ))}
      </div>
    </div>
  )
}

const flagsOf = (field: Field, side: 'admin' | 'profile') =>
  [
    ['visible', field[`${side}Visible`]],
    ['edit', field[`${side}Edit`]],
    ['required', field[`${side}Required`]],
  ] as const
