import type { Words } from '@/lib/base/i18n/words'
import type { KnownField } from '@/lib/operations/history/contract'

/** Returns the fields as options of a filter: one for each code, with all titles that it has had. */
export function fieldOptions(fields: readonly KnownField[], words: Words): { value: string; label: string }[] {
  const titles = new Map<string, Set<string>>()
  for (const { name, label, title } of fields)
    titles.set(name, (titles.get(name) ?? new Set()).add(title ?? words(label)))
  return [...titles].map(([value, names]) => ({ value, label: [...names].join(' / ') }))
}
