'use client'

import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import type { MergeField, MergePreview } from '@/lib/companies/contractors/contract'

/** The fields in which the merged contractors differ, each with its values to choose from. */
export function MergeConflicts({ preview }: { preview: MergePreview }) {
  const t = useTranslations('contractors')
  return (
    <section className="grid gap-3">
      <div>
        <p className="font-semibold">{t('mergeConflicts')}</p>
        <p className="text-ink-second text-note">{t('mergeConflictsText')}</p>
      </div>
      {preview.conflicts.map(({ field }) => (
        <Conflict key={field} field={field} preview={preview} />
      ))}
    </section>
  )
}

function Conflict({ field: name, preview }: { field: MergeField; preview: MergePreview }) {
  const t = useTranslations('contractors')
  const tr = useTranslations('requisites')
  const { field, fieldState } = useController({ name: `take.${name}` })
  const values = preview.contractors.filter(
    ({ fields }, index, contractors) =>
      fields[name] && contractors.findIndex((contractor) => contractor.fields[name] === fields[name]) === index,
  )
  const error = fieldState.error?.message
  return (
    <fieldset className="rounded-card border border-line">
      <legend className="ml-3 px-1 font-medium text-table">{name === 'name' ? t('name') : tr(name)}</legend>
      <div className="grid gap-0.5 px-2 pb-2">
        {values.map(({ id, name: owner, fields }) => (
          <label
            key={id}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 hover:bg-sunken has-checked:bg-brand-tint pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={field.name}
              checked={field.value === id}
              onChange={() => field.onChange(id)}
              onBlur={field.onBlur}
              className="size-4 accent-brand"
            />
            <span className="min-w-0 break-words">
              {fields[name]}
              {name === 'name' ? null : <span className="block text-ink-second text-note">{owner}</span>}
            </span>
          </label>
        ))}
      </div>
      {error ? <p className="px-4 pb-3 text-danger text-note">{error}</p> : null}
    </fieldset>
  )
}
