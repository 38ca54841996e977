'use client'

import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, useEffect, useRef } from 'react'
import { type FieldErrors, get, useController, useFormState } from 'react-hook-form'
import { FieldError } from '@/components/form/field-error'
import { useFieldId } from '@/components/form/form'
import type { FormFieldProps } from '@/components/form/form-text'
import { inputClasses } from '@/components/form/input-classes'
import { splitPasted } from '@/components/form/pasted'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'

type RowProps = {
  name: string
  label: string
  host: string
  note: string | undefined
  error: string | undefined
  onChange: (host: string) => void
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  onFirst: (() => void) | undefined
  onRemove: () => void
}

function HostRow({ name, label, host, note, error, onChange, onPaste, onFirst, onRemove }: RowProps) {
  const t = useTranslations('domains')
  const tForm = useTranslations('ui.form')
  const id = useFieldId(name, label)
  return (
    <li className="grid gap-1.5">
      <span className="flex items-center gap-1">
        <input
          id={id}
          value={host}
          onChange={(event) => onChange(event.target.value)}
          onPaste={onPaste}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={[error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(' ') || undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          maxLength={255}
          className={cn(inputClasses, 'h-10 min-w-0 grow font-mono text-table pointer-coarse:h-11')}
        />
        {onFirst ? (
          <IconButton quiet label={t('makeFirst', { name: host || label })} onClick={onFirst}>
            <ArrowUp aria-hidden="true" className="size-4" />
          </IconButton>
        ) : null}
        <IconButton quiet label={tForm('removeRow', { row: host || label })} onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {note ? (
        <span id={`${id}-note`} className="text-ink-second text-note">
          {note}
        </span>
      ) : null}
    </li>
  )
}

/** The host names of a domain; the first one is that of the links in mails. Several that are pasted become rows. */
export function HostsField({ name, label, hint }: FormFieldProps<readonly string[] | undefined>) {
  const t = useTranslations('domains')
  const { field } = useController({ name })
  const { errors } = useFormState({ name })
  const hosts: string[] = field.value ?? []
  const id = useFieldId(name, label, { show: (value) => ((value ?? []) as string[]).join('\n') })
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row is what it waits for
  useEffect(() => {
    if (added.current) [...(list.current?.querySelectorAll('input') ?? [])].at(-1)?.focus()
    added.current = false
  }, [hosts.length])
  const fault = get(errors, name) as (FieldErrors[string] & { root?: { message?: string } }) | undefined
  const rowError = (at: number) => (get(errors, `${name}.${at}`) as { message?: string } | undefined)?.message
  const error = fault?.root?.message ?? (Array.isArray(fault) ? undefined : (fault?.message as string | undefined))
  const paste = (at: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = splitPasted(event.clipboardData.getData('text/plain'))
    if (pasted.length < 2) return
    event.preventDefault()
    field.onChange([...new Set(hosts.toSpliced(at, 1, ...pasted))].slice(0, 50))
  }
  return (
    <fieldset className="grid gap-2.5" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-2.5 font-medium text-table">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hosts.length > 0 ? (
        <ul ref={list} className="grid gap-2.5">
          {hosts.map((host, at) => (
            <HostRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a host name changes while it is typed
              key={at}
              name={`${name}.${at}`}
              label={t('hostNumber', { number: String(at + 1) })}
              host={host}
              note={at === 0 ? t('firstHost') : undefined}
              error={rowError(at)}
              onChange={(next) => field.onChange(hosts.with(at, next))}
              onPaste={paste(at)}
              onFirst={at > 0 ? () => field.onChange([host, ...hosts.toSpliced(at, 1)]) : undefined}
              onRemove={() => field.onChange(hosts.toSpliced(at, 1))}
            />
          ))}
        </ul>
      ) : (
        <p className="text-ink-second text-table">{t('noHosts')}</p>
      )}
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
      <Button
        id={id}
        ref={field.ref}
        variant="secondary"
        size="S"
        className="justify-self-start"
        onClick={() => {
          added.current = true
          field.onChange([...hosts, ''])
        }}
      >
        <Plus aria-hidden="true" className="size-4" />
        {t('addHost')}
      </Button>
    </fieldset>
  )
}
