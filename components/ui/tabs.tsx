'use client'

import * as Radix from '@radix-ui/react-tabs'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { cn } from './cn'
import { TabBadge } from './tab-badge'
import { TabCount } from './tab-count'
import { tabsLook } from './tab-look'
import { TabTrigger } from './tab-trigger'
import { useOneByOne } from './use-one-by-one'

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

/**
 * Tabs that switch panels, such as the languages of a form. A panel stays mounted, so that no input is lost. Hidden
 * panels are rendered after hydration, one by one, so that the page doesn't wait for them.
 */
export function Tabs({
  tabs,
  label,
  ...rest
}: { tabs: Tab[]; label: string } & Omit<ComponentProps<typeof Radix.Root>, 'children'>) {
  const [openTab, setOpenTab] = useState(tabs[0]?.id)
  const { value = openTab, onValueChange, ...root } = rest
  const [first] = useState(value)
  // after the first change of the tab all panels are rendered, so that none loses its input
  const madeCount = useOneByOne(tabs.length, value !== first)
  return (
    <Radix.Root
      {...root}
      value={value}
      onValueChange={(next) => {
        setOpenTab(next)
        onValueChange?.(next)
      }}
      className={cn('grid grid-cols-[minmax(0,1fr)] gap-4', rest.className)}
    >
      <Radix.List aria-label={label} className={tabsLook}>
        {tabs.map(({ id, label, count, errors, badge }) => (
          <TabTrigger key={id} value={id}>
            {label}
            {count === null || count === undefined ? null : <TabCount count={count} />}
            <TabBadge count={badge} />
            {errors && errors.count > 0 ? (
              <span className="rounded-pill bg-danger-tint px-1.5 text-danger text-note tabular-nums">
                <span aria-hidden="true">{errors.count}</span>
                <span className="sr-only">, {errors.label}</span>
              </span>
            ) : null}
          </TabTrigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }, index) => (
        <Radix.Content key={id} value={id} forceMount tabIndex={-1} className="data-[state=inactive]:hidden">
          {index < madeCount || id === value ? content : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
