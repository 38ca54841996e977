'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormState, useWatch } from 'react-hook-form'
import { sends } from '@/components/form/actions'
import { isSameValue } from '@/components/form/conflict'
import { countErrors } from '@/components/form/field-errors'
import { Form, FormErrors, useGone, useWholeForm } from '@/components/form/form'
import { reveal, revealEvent } from '@/components/form/reveal'
import { SaveBar } from '@/components/form/save-bar'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { later } from '@/components/ui/later'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import type { Domain, updateDomain } from '@/lib/site/domains/contract'
import type { DeviceType } from './devices-tab'
import type { IdentifierKind } from './identifier-kinds'
import { KnownNames, type NamedOption } from './known'
import type { PreviewProps } from './preview'
import { TextsTab } from './texts-tab'
import { fieldOf, type LocaleValues, type Tab, tabFields, type Values, valuesOf } from './values'

const calls = () => import('@/lib/site/domains/contract')

// the tabs after the first
const AddressesTab = later(() => import('./other-tabs').then((part) => part.AddressesTab))
const LookTab = later(() => import('./other-tabs').then((part) => part.LookTab))
const DocumentsTab = later(() => import('./other-tabs').then((part) => part.DocumentsTab))
const DevicesTab = later(() => import('./devices-tab').then((part) => part.DevicesTab))

const Preview = dynamic(() => import('./preview').then((part) => part.Preview), {
  ssr: false,
  // as high as the preview
  loading: () => <Skeleton className="aspect-[1120/760] w-full @max-[40rem]:hidden" />,
})

type Props = Omit<PreviewProps, 'opened' | 'onOpen' | 'logo'> & {
  domain: Domain
  name: string
  known: readonly NamedOption[]
  types: readonly DeviceType[]
  offered: readonly IdentifierKind[]
}

/** A whole domain in one form, saved at once, beside a preview of the sign-in page. */
export function DomainEditor({ domain, known, ...rest }: Props) {
  const { id, base } = domain
  const stored = valuesOf(domain)
  const form = useContractForm<typeof updateDomain, Values>(() => calls().then((contracts) => contracts.updateDomain), {
    parts: { params: { id } },
    defaultValues: stored,
    fieldOf,
    toBody: ({ locales, ...values }) => ({
      ...values,
      // a choice that is removed is null
      timeZone: values.timeZone ?? '',
      locales: locales.map((row, order) => ({ ...row, order })),
      removedLocales: stored.locales
        .map(({ localeId }) => localeId)
        .filter((candidate) => !locales.some(({ localeId }) => localeId === candidate)),
    }),
    again: ({ updatedAt: _, ...body }) => sends(() => calls().then((contracts) => contracts.createDomain), { body }),
  })
  useFresh(form, stored)
  return (
    <KnownNames given={known}>
      <Form form={form} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <FormErrors />
        <Body domain={domain} isBase={base} {...rest} />
      </Form>
    </KnownNames>
  )
}

/**
 * Takes the domain that the page has read again: all of it if nothing is typed here, and only the version if nothing
 * else differs, as after an upload of the logo.
 */
function useFresh({ form }: ContractForm<Values>, stored: Values) {
  const { isDirty } = form.formState
  const lastVersion = useRef(stored.updatedAt)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version of the domain asks
  useEffect(() => {
    // the form opened with this version: a reset would render all of it again
    if (lastVersion.current === stored.updatedAt) return
    lastVersion.current = stored.updatedAt
    const { updatedAt: _, ...before } = form.formState.defaultValues as Values
    const { updatedAt, ...now } = stored
    if (isSameValue(inOrder(before), inOrder(now))) {
      // only a registered field can be reset by itself; a reset of all would render the rows anew, without the focus
      form.register('updatedAt')
      form.resetField('updatedAt', { defaultValue: updatedAt })
    } else if (!isDirty) form.reset(stored)
  }, [stored.updatedAt])
}

/** Converts the indexes of the form's languages to those of the sent ones. */
const inOrder = <V extends Pick<Values, 'locales'>>(values: V) => ({
  ...values,
  locales: values.locales.map((row, order) => ({ ...row, order })),
})

type BodyProps = Omit<Props, 'known'> & { isBase: boolean }

/** It isn't rendered again with the form around it: its parts subscribe to what they show. */
const Body = memo(function Body({ domain, isBase, name, types, offered, ...preview }: BodyProps) {
  const t = useTranslations('domains')
  const tLocales = useTranslations('ui.locales')
  const { locales, looks } = preview
  const { id, logoId } = domain
  const [tab, setTab] = useState<Tab>('texts')
  const [openLocaleId, setOpenLocaleId] = useState(domain.locales[0]?.localeId ?? '')
  const { errors } = useFormState<Values>()
  const { failures } = useWholeForm()
  const [aliases, agreements, documents] = useWatch<Values, ['aliases', 'agreements', 'documents']>({
    name: ['aliases', 'agreements', 'documents'],
  })
  const box = useRef<HTMLDivElement>(null)
  const errorsOf = (of: Tab) => tabFields[of].reduce((sum, field) => sum + countErrors(errors[field]), 0)
  const faulty = (Object.keys(tabFields) as Tab[]).find((of) => errorsOf(of) > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure opens the first tab with an error
  useEffect(() => {
    if (failures > 0 && faulty && errorsOf(tab) === 0) setTab(faulty)
  }, [failures, faulty === undefined])
  useEffect(() => {
    const element = box.current
    const show = ({ target }: Event) => {
      const panel = (target as Element).closest<HTMLElement>('[data-panel]')
      // the element gets the focus afterwards
      if (panel?.dataset.panel) flushSync(() => setTab(panel.dataset.panel as Tab))
    }
    element?.addEventListener(revealEvent, show)
    return () => element?.removeEventListener(revealEvent, show)
  }, [])
  /** Opens the tab of a language, which the preview then follows. */
  const openLocale = (localeId: string) => {
    setOpenLocaleId(localeId)
    const panel = box.current?.querySelector(`[data-locale="${localeId}"]`)
    panel?.dispatchEvent(new Event(revealEvent, { bubbles: true }))
  }

  const panels = useMemo<Record<Tab, ReactNode>>(
    () => ({
      texts: <TextsTab base={isBase} locales={locales} onOpen={({ id: localeId }) => setOpenLocaleId(localeId)} />,
      addresses: <AddressesTab base={isBase} />,
      look: <LookTab id={id} name={name} logoId={logoId} looks={looks} />,
      documents: <DocumentsTab />,
      devices: <DevicesTab types={types} offered={offered} />,
    }),
    [locales, isBase, id, name, logoId, looks, types, offered],
  )
  const counts: Partial<Record<Tab, number>> = {
    addresses: aliases.length,
    documents: agreements.length + documents.length,
  }
  return (
    <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 @min-[58rem]:grid-cols-[minmax(0,27rem)_minmax(0,1fr)] @min-[58rem]:items-start @min-[66rem]:grid-cols-[minmax(0,33rem)_minmax(0,1fr)]">
        <Tabs
          label={t('sections')}
          value={tab}
          onValueChange={(next) => setTab(next as Tab)}
          className="@container grid-cols-[minmax(0,1fr)]"
          tabs={(Object.keys(panels) as Tab[]).map((of) => ({
            id: of,
            label: t(`tabs.${of}`),
            count: counts[of] ?? null,
            errors: { count: errorsOf(of), label: tLocales('errors', { count: errorsOf(of) }) },
            content: (
              <div data-panel={of} className="pt-2">
                {panels[of]}
              </div>
            ),
          }))}
        />
        <div className="min-w-0 @min-[58rem]:sticky @min-[58rem]:top-[calc(var(--sticky-top)+1.25rem)]">
          <section aria-label={t('preview')} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-3">
            <h2 className="flex min-h-10 grow items-center text-section pointer-coarse:min-h-11">{t('preview')}</h2>
            <Preview {...preview} opened={openLocaleId} onOpen={openLocale} logo={logoId} />
          </section>
        </div>
      </div>
      <Bar locales={locales} box={box} />
    </div>
  )
})

type BarProps = Pick<BodyProps, 'locales'> & { box: RefObject<HTMLElement | null> }

/**
 * The names of the changed fields, and the buttons that save or discard them; for a domain that another person deleted,
 * the button that creates it again.
 */
function Bar({ locales, box }: BarProps) {
  const t = useTranslations('domains')
  const tConflict = useTranslations('ui.conflict')
  const { gone, again } = useGone()
  const { cancel } = useWholeForm()
  const { isDirty, isSubmitting, errors, defaultValues } = useFormState<Values>()
  const values = useWatch() as Values
  if (gone) return again ? <SubmitButton>{tConflict('createAgain')}</SubmitButton> : null
  const before = defaultValues as Values
  const nameOf = (localeId: string) => locales.find(({ id }) => id === localeId)?.name ?? ''
  const inLocale = ({ localeId, enabled, settings }: LocaleValues): string[] => {
    const old = before.locales.find((row) => row.localeId === localeId)
    if (!old) return [nameOf(localeId)]
    const keys = (Object.keys(settings) as (keyof typeof settings)[]).filter(
      (key) => !isSameValue(settings[key], old.settings[key]),
    )
    return [...(enabled === old.enabled ? [] : [t('shown')]), ...keys.map((key) => t(key))].map(
      (label) => `${nameOf(localeId)}: ${label}`,
    )
  }
  const names = Object.values(tabFields)
    .flat()
    .flatMap((field) => {
      if (field !== 'locales') return isSameValue(values[field], before[field]) ? [] : [t(field)]
      const deletedRows = before.locales.filter(
        (row) => !values.locales.some(({ localeId }) => localeId === row.localeId),
      )
      const changed = [...values.locales.flatMap(inLocale), ...deletedRows.map(({ localeId }) => nameOf(localeId))]
      if (changed.length > 0) return changed
      return isSameValue(values.locales, before.locales) ? [] : [t('localeOrder')]
    })
  if (!isDirty || names.length === 0) return null
  return (
    <SaveBar
      names={names}
      errors={countErrors(errors)}
      failure={null}
      pending={isSubmitting}
      onErrors={() => {
        const first = box.current?.querySelector('[aria-invalid=true]')
        if (first?.id) reveal(first.id)
      }}
      onCancel={cancel}
    />
  )
}
