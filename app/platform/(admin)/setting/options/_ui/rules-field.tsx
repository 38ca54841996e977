'use client'

import { Check, Plus, Trash2, X } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useRef, useState } from 'react'
import { FieldError } from '@/components/form/field-error'
import { inputClasses } from '@/components/form/input-classes'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { TriangleAlert } from '@/components/ui/icons'
import { nameAmong } from '@/lib/base/i18n/local-name'
import { isCheapPattern } from '@/lib/base/text/pattern-cost'
import { generatePassword, type PasswordRules, passwordMarks } from '@/lib/sign-in/passwords/rules'
import type { Rule, Values } from './values'

const languages = ['ru', 'en'] as const

/** Returns the rules of the page as they would apply after saving, without patterns that browsers can't run. */
const rulesOf = (values: Values, locale: string): PasswordRules => ({
  min: Number(values.passwordMin) || 8,
  max: typeof values.passwordMax === 'number' ? values.passwordMax : null,
  symbols: String(values.passwordSymbols ?? ''),
  uppercase: values.passwordUppercase === true,
  lowercase: values.passwordLowercase === true,
  numbers: values.passwordNumbers === true,
  generate: values.passwordGenerate === true,
  custom: (values.passwordCustomRules as Rule[])
    .filter(({ pattern }) => isCheapPattern(pattern))
    .map(({ pattern, title }) => ({ pattern, title: nameAmong(title, locale, pattern) })),
})

const isUnsafe = ({ pattern }: Rule) => pattern !== '' && !isCheapPattern(pattern)

const randomBelow = (bound: number) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % bound

type Props = {
  id: string
  label: string
  /** The values of the page, including unsaved ones. */
  values: Values
  onChange: (value: Rule[]) => void
  onBlur: () => void
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** Own rules for passwords, each a regular expression with its titles, and a password to try them all with. */
export function RulesField({ id, label, values, onChange, onBlur, ...described }: Props) {
  const t = useTranslations('settings.rules')
  const rules = values.passwordCustomRules as Rule[]
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const put = (index: number, rule: Rule) => onChange(rules.map((one, n) => (n === index ? rule : one)))
  const focusLater = (find: () => HTMLElement | null | undefined) => requestAnimationFrame(() => find()?.focus())
  const input = 'h-10 text-table pointer-coarse:h-11'
  return (
    <div className="grid gap-4 rounded-card border border-line bg-sunken/40 p-4">
      {rules.length > 0 ? (
        <ol ref={list} className="grid gap-4">
          {rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and their fields no state of their own
            <li key={index} className="flex items-start gap-2">
              <fieldset className="grid min-w-0 grow gap-3 @min-[36rem]:grid-cols-3">
                <legend className="sr-only">{t('number', { number: String(index + 1) })}</legend>
                <label className="grid gap-1.5 text-table">
                  <span className="font-medium">{t('pattern')}</span>
                  <input
                    {...described}
                    spellCheck={false}
                    autoComplete="off"
                    maxLength={200}
                    value={rule.pattern}
                    aria-invalid={isUnsafe(rule) || undefined}
                    aria-describedby={
                      [isUnsafe(rule) && `${id}-unsafe`, described['aria-describedby']].filter(Boolean).join(' ') ||
                      undefined
                    }
                    onBlur={onBlur}
                    onChange={(event) => put(index, { ...rule, pattern: event.target.value })}
                    className={cn(inputClasses, input, 'font-mono')}
                  />
                </label>
                {languages.map((language) => (
                  <label key={language} className="grid gap-1.5 text-table">
                    <span className="font-medium">{t('titleIn', { language: t(`languages.${language}`) })}</span>
                    <input
                      autoComplete="off"
                      maxLength={200}
                      value={rule.title[language] ?? ''}
                      onBlur={onBlur}
                      onChange={(event) => {
                        const { [language]: _, ...rest } = rule.title
                        const typed = event.target.value
                        put(index, { ...rule, title: typed ? { ...rest, [language]: typed } : rest })
                      }}
                      className={cn(inputClasses, input)}
                    />
                  </label>
                ))}
              </fieldset>
              <IconButton
                label={t('remove', { number: String(index + 1) })}
                className="mt-6.5"
                onClick={() => {
                  onChange(rules.filter((_, n) => n !== index))
                  focusLater(
                    () =>
                      list.current?.children[Math.min(index, rules.length - 2)]?.querySelector<HTMLElement>('input') ??
                      add.current,
                  )
                }}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ol>
      ) : null}
      {rules.length < 20 ? (
        <Button
          ref={add}
          id={id}
          aria-label={`${label}: ${t('add')}`}
          variant="secondary"
          size="S"
          className="justify-self-start"
          onClick={() => {
            onChange([...rules, { pattern: '', title: {} }])
            focusLater(() => list.current?.lastElementChild?.querySelector<HTMLElement>('input'))
          }}
        >
          <Plus aria-hidden="true" className="size-4" />
          {t('add')}
        </Button>
      ) : null}
      <Tester values={values} unsafeId={`${id}-unsafe`} />
    </div>
  )
}

/** Checks a typed password by every rule; `unsafeId` is the id of the note about a wrong expression. */
function Tester({ values, unsafeId }: { values: Values; unsafeId: string }) {
  const t = useTranslations('settings.rules')
  const id = useId()
  const locale = useLocale()
  const [typed, setTyped] = useState('')
  const rules = rulesOf(values, locale)
  const customRules = values.passwordCustomRules as Rule[]
  const unsafe = customRules.some(isUnsafe)
  const ungenerated = rules.generate && rules.custom.length > 0 && generatePassword(rules, randomBelow) === null
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      <div className="grid items-center gap-x-4 gap-y-1.5 @min-[36rem]:grid-cols-[11rem_1fr]">
        <label htmlFor={id} className="font-medium text-table">
          {t('try')}
        </label>
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          aria-describedby={`${id}-hint`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={cn(inputClasses, 'h-10 max-w-xs font-mono text-table pointer-coarse:h-11')}
        />
      </div>
      <p id={`${id}-hint`} className="text-ink-second text-note">
        {t('tryHint')}
      </p>
      {typed ? (
        <ul aria-live="polite" className="flex flex-wrap gap-x-4 gap-y-1 text-note">
          {passwordMarks(rules, typed).map(({ id: rule, passed, params }) => {
            const Icon = passed ? Check : X
            const ruleName = rule.startsWith('custom') ? null : (rule as Exclude<typeof rule, `custom${number}`>)
            return (
              <li key={rule} className={cn('flex items-start gap-1.5', passed ? 'text-ok' : 'text-danger')}>
                <Icon aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                <span className="min-w-0 break-words">
                  {ruleName ? t(ruleName, { count: params.count ?? 0 }) : params.title}
                  <span className="sr-only">: {t(passed ? 'passed' : 'failed')}</span>
                </span>
              </li>
            )
          })}
        </ul>
      ) : null}
      {unsafe ? (
        <FieldError id={unsafeId}>{t('unsafe')}</FieldError>
      ) : ungenerated ? (
        <p className="flex gap-1.5 text-note text-warning">
          <TriangleAlert className="mt-px size-4 shrink-0" />
          {t('generates')}
        </p>
      ) : null}
    </div>
  )
}
