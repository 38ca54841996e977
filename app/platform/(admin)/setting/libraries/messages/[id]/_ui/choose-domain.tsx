'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { inputClasses } from '@/components/form/input-classes'
import { cn } from '@/components/ui/cn'
import { leaveThen } from '@/components/ui/leaving'

type Option = { value: string; label: string; href: string }

/** Chooses whose texts are shown: those for all domains, or those that one domain has in their place. */
export function ChooseDomain({ value, options }: { value: string; options: readonly Option[] }) {
  const t = useTranslations('message-texts')
  const router = useRouter()
  const id = useId()
  return (
    <div className="flex min-w-0 items-center gap-3">
      <label htmlFor={id} className="shrink-0 font-medium text-table">
        {t('domain')}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          const { href } = options.find((option) => option.value === target.value) ?? {}
          if (href) leaveThen(() => router.push(href))
        }}
        className={cn(inputClasses, 'h-10 w-auto min-w-0 max-w-72 cursor-pointer py-0 text-table pointer-coarse:h-11')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
