'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Select } from '@/components/form/select'
import { leaveThen } from '@/components/ui/leaving'

type Option = { value: string; label: string; href: string }

/** Chooses whose texts are shown: those for all domains, or those that replace them on one domain. */
export function ChooseDomain({ value, options }: { value: string; options: readonly Option[] }) {
  const t = useTranslations('message-texts')
  const router = useRouter()
  const id = useId()
  return (
    <div className="flex min-w-0 items-center gap-3">
      <label htmlFor={id} className="shrink-0 font-medium text-table">
        {t('domain')}
      </label>
      <span className="min-w-0 max-w-72">
        <Select
          id={id}
          value={value}
          options={options}
          onChange={(chosen) => {
            const { href } = options.find((option) => option.value === chosen) ?? {}
            if (href) leaveThen(() => router.push(href))
          }}
        />
      </span>
    </div>
  )
}
