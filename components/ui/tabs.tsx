'use client'

import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { TabBadge } from './tab-badge'
import { TabCount } from './tab-count'
import { tabLook, tabsLook } from './tab-look'

type Tab = {
  id: string
  label: string
  /** How many errors its panel has; shown beside the label. */
  errors?: { count: number; label: string }
  /** How many things it has. */
  count?: number | null
  /** How many items wait in it. */
  badge?: number | null
  content: ReactNode
}

/** Tabs that switch panels, such as the languages of a form. All panels stay mounted, so that no input is lost. */
export function Tabs({
  tabs,
  label,
  ...rest
}: { tabs: Tab[]; label: string } & Omit<ComponentProps<typeof Radix.Root>, 'children'>) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id} {...rest} className={cn('grid gap-4', rest.className)}>
      <Radix.List aria-label={label} className={tabsLook}>
        {tabs.map(({ id, label, count, errors, badge }) => (
          <Radix.Trigger key={id} value={id} className={tabLook}>
            {label}
            {count === null || count === undefined ? null : <TabCount count={count} />}
            <TabBadge count={badge} />
            {errors && errors.count > 0 ? (
              <span className="rounded-pill bg-danger-tint px-1.5 text-danger text-note tabular-nums">
                <span aria-hidden="true">{errors.count}</span>
                <span className="sr-only">, {errors.label}</span>
              </span>
            ) : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} forceMount className="data-[state=inactive]:hidden">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
