'use client'

import { Check, Circle } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type PasswordRules, passwordMarks } from '@/lib/sign-in/passwords/rules'
import { cn } from '../ui/cn'

/** The rules of a password and whether each is met: an icon and, for screen readers, a word. */
export function PasswordMarks({ id, rules, password }: { id: string; rules: PasswordRules; password: string }) {
  const t = useTranslations('entry.password')
  return (
    <ul id={id} aria-label={t('rulesLabel')} className="grid gap-1 text-note xs:grid-cols-2">
      {passwordMarks(rules, password).map(({ id: rule, passed, params }) => {
        const Icon = passed ? Check : Circle
        const ruleName = rule.startsWith('custom') ? null : (rule as Exclude<typeof rule, `custom${number}`>)
        return (
          <li key={rule} className={cn('flex items-start gap-2', passed ? 'text-ok' : 'text-ink-second')}>
            <Icon aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            <span className="min-w-0 break-words">
              {ruleName
                ? t(`rules.${ruleName}`, { count: params.count ?? 0, symbols: params.symbols ?? '' })
                : params.title}
              <span className="sr-only">: {passed ? t('passed') : t('failed')}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
