'use client'

import { Search } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { isSameValue } from '@/components/form/conflict'
import { inputClasses } from '@/components/form/input-classes'
import { SaveBar } from '@/components/form/save-bar'
import { Select } from '@/components/form/select'
import type { Option } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/empty-state'
import { ChevronDown } from '@/components/ui/icons'
import { UnsavedGuard } from '@/components/ui/unsaved'
import { isFound } from '@/lib/base/lists/search-form'
import type { Scope, Setting, SettingModule } from '@/lib/operations/settings-screen/contract'
import { SettingRow } from './setting-row'
import { useSettings } from './use-settings'
import { useWords } from './use-words'
import { settingsOf } from './values'

const ConflictPanel = dynamic(() => import('@/components/form/conflict-panel').then((part) => part.ConflictPanel))
const UniqueDialog = dynamic(() => import('./unique-dialog').then((part) => part.UniqueDialog))
const TestMessage = dynamic(() => import('./test-message').then((part) => part.TestMessage))

/** The groups of modules in the list of sections. */
const groups = {
  platform: {
    entry: ['password', 'code', 'identification', 'authorization', 'clientIdentification'],
    watch: ['logs', 'monitoring', 'metrics', 'license'],
    rest: ['network', 'notify', 'ui'],
  },
  users: { people: ['registration', 'recovery', 'providers'] },
} as const satisfies Record<Scope, Record<string, readonly string[]>>
type Group = 'entry' | 'watch' | 'rest' | 'people'

type Props = { scope: Scope; modules: readonly SettingModule[]; updatedAt: string; mayWrite: boolean }

/** All settings of a page in modules that open, with a search over them and one save for all. */
export function Settings({ scope, modules, updatedAt, mayWrite }: Props) {
  const t = useTranslations('settings')
  const prefix = useId()
  const state = useSettings({ scope, modules, updatedAt })
  const { values, base, changed, faults } = state
  const [names, setNames] = useState(
    () =>
      new Map<string, string>(
        settingsOf(modules).flatMap(({ named }) => named.map(({ id, name }) => [id, name] as const)),
      ),
  )
  const words = useWords(names)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(modules.slice(0, 1).map(({ id }) => id)))
  const [search, setSearch] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const fieldId = (id: string) => `${prefix}${id}`
  const moduleId = (id: string) => `settings-${id}`

  // the conflict panel shows settings by their names and values
  for (const setting of settingsOf(modules))
    state.fields.current.set(setting.id, {
      id: fieldId(setting.id),
      label: words.label(setting.id),
      show: (value) => words.text(setting, value),
    })

  useEffect(() => {
    const id = window.location.hash.replace('#settings-', '')
    if (modules.some((item) => item.id === id)) setOpen((before) => new Set([...before, id]))
  }, [modules])

  const query = search.trim()
  const narrowed = query !== '' || onlyChanged
  const matches = (setting: Setting, module: string) =>
    (!onlyChanged || changed.includes(setting.id)) &&
    (query === '' ||
      isFound(query, [`${words.label(setting.id)} ${words.note(setting)} ${words.module(module)} ${setting.id}`]))
  const order: string[] = Object.values<readonly string[]>(groups[scope]).flat()
  const shownModules = modules
    .toSorted((item, otherItem) => order.indexOf(item.id) - order.indexOf(otherItem.id))
    .map((module) => ({ ...module, rows: module.settings.filter((item) => matches(item, module.id)) }))
    .filter(({ rows }) => !narrowed || rows.length > 0)
  const foundCount = shownModules.reduce((sum, { rows }) => sum + rows.length, 0)

  const show = (id: string) => {
    setOpen((before) => new Set([...before, id]))
    requestAnimationFrame(() => {
      const head = document.getElementById(moduleId(id))
      head?.scrollIntoView({ block: 'start' })
      head?.querySelector('button')?.focus({ preventScroll: true })
    })
  }
  /** Opens the modules of these settings and moves to the first of them. */
  const reveal = (ids: readonly string[]) => {
    if (ids.length === 0) return
    const faultyModules = modules.filter(({ settings }) => settings.some(({ id }) => ids.includes(id)))
    setOpen((before) => new Set([...before, ...faultyModules.map(({ id }) => id)]))
    setSearch('')
    setOnlyChanged(false)
    const first = shownModules.flatMap(({ settings }) => settings).find(({ id }) => ids.includes(id)) ?? {
      id: ids[0] ?? '',
    }
    requestAnimationFrame(() => document.getElementById(fieldId(first.id))?.focus())
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    reveal(await state.save())
  }
  const change = (setting: Setting) => (value: unknown, chosen?: Option) => {
    if (chosen) setNames((before) => new Map(before).set(chosen.value, chosen.label))
    state.change(setting.id, value)
  }

  return (
    <div className="grid gap-x-8 @min-[56rem]:grid-cols-[13rem_minmax(0,46rem)]">
      <nav
        aria-label={t('anchors')}
        className="hidden self-start @min-[56rem]:sticky @min-[56rem]:top-[calc(var(--sticky-top)+1.25rem)] @min-[56rem]:grid @min-[56rem]:gap-4 @min-[56rem]:pt-13"
      >
        {Object.entries<readonly string[]>(groups[scope]).map(([group, ids]) => (
          <div key={group} className="grid gap-0.5">
            <p className="px-2.5 py-1 text-ink-second text-note">{t(`groups.${group as Group}`)}</p>
            {ids.map((id) => (
              <Anchor
                key={id}
                href={`#${moduleId(id)}`}
                label={words.module(id)}
                count={countOf(modules, id, changed)}
                onOpen={() => {
                  setSearch('')
                  setOnlyChanged(false)
                  show(id)
                }}
              />
            ))}
          </div>
        ))}
      </nav>
      <div className="grid min-w-0 content-start gap-3">
        <div className="flex flex-wrap gap-2">
          <div className="relative min-w-48 grow basis-0">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-second"
            />
            <input
              type="search"
              aria-label={t('search')}
              placeholder={t('search')}
              value={search}
              maxLength={100}
              onChange={(event) => setSearch(event.target.value)}
              className={cn(inputClasses, 'h-10 pl-9.5 pointer-coarse:h-11')}
            />
          </div>
          <span className="max-w-60 max-sm:hidden @min-[56rem]:hidden">
            <Select
              aria-label={t('toModule')}
              placeholder={t('toModule')}
              value={null}
              options={shownModules.map(({ id }) => ({ value: id, label: words.module(id) }))}
              onChange={(id) => id && show(id)}
            />
          </span>
          {mayWrite ? (
            <Button
              variant="secondary"
              aria-pressed={onlyChanged}
              className="max-sm:w-full aria-pressed:border-brand aria-pressed:text-brand"
              onClick={() => setOnlyChanged((now) => !now)}
            >
              {t('onlyChanged')}
            </Button>
          ) : null}
        </div>
        <p role="status" className="sr-only">
          {narrowed ? t('found', { count: foundCount }) : ''}
        </p>
        {state.meanwhile.met ? <ConflictPanel meanwhile={state.meanwhile} fields={state.fields} again={false} /> : null}
        <form
          noValidate
          onSubmit={submit}
          aria-busy={state.pending || undefined}
          id={`${prefix}form`}
          className="contents"
        >
          {shownModules.map((module) => {
            const isOpen = narrowed || open.has(module.id)
            const count = countOf(modules, module.id, changed)
            return (
              <section
                key={module.id}
                id={moduleId(module.id)}
                aria-labelledby={`${moduleId(module.id)}-title`}
                className="@container scroll-mt-[calc(var(--sticky-top)+1rem)] rounded-card border border-line bg-surface"
              >
                <h2 className="contents">
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    disabled={narrowed}
                    onClick={() => setOpen((before) => toggled(before, module.id))}
                    className="flex min-h-14 w-full cursor-pointer items-center gap-3.5 rounded-card px-4 py-3 text-left disabled:cursor-default sm:px-5"
                  >
                    <ChevronDown
                      className={cn('size-4 shrink-0 text-ink-second transition-transform', !isOpen && '-rotate-90')}
                    />
                    <span className="grid min-w-0 grow gap-0.5">
                      <span id={`${moduleId(module.id)}-title`} className="font-semibold">
                        {words.module(module.id)}
                      </span>
                      <span className="truncate font-normal text-ink-second text-note">
                        {words.digest(module, values)}
                      </span>
                    </span>
                    {count > 0 ? (
                      <span className="shrink-0 rounded-control bg-ok-tint px-2 py-0.5 font-medium text-brand text-note">
                        {t('changes', { count })}
                      </span>
                    ) : null}
                  </button>
                </h2>
                {isOpen
                  ? module.rows.map((setting) => (
                      <SettingRow
                        key={setting.id}
                        setting={setting}
                        id={fieldId(setting.id)}
                        values={values}
                        stored={base[setting.id]}
                        changed={changed.includes(setting.id)}
                        fault={faults[setting.id]}
                        mayWrite={mayWrite}
                        words={words}
                        names={names}
                        onChange={change(setting)}
                        onLeave={() => state.check(setting.id)}
                        same={isSameValue}
                      />
                    ))
                  : null}
              </section>
            )
          })}
          {foundCount === 0 && narrowed ? (
            <EmptyState
              title={t('nothingTitle')}
              text={t('nothingText')}
              action={
                <Button
                  variant="secondary"
                  onClick={() => {
                    setSearch('')
                    setOnlyChanged(false)
                  }}
                >
                  {t('allSettings')}
                </Button>
              }
            />
          ) : null}
          {changed.length > 0 ? (
            <SaveBar
              names={changed.map((id) => words.label(id))}
              errors={Object.keys(faults).length}
              failure={state.failure?.text ?? null}
              pending={state.pending}
              onErrors={() => reveal(Object.keys(faults))}
              onCancel={state.reset}
            />
          ) : null}
        </form>
        {mayWrite && scope === 'platform' && !narrowed ? <Tests title={t('test.title')} /> : null}
        <UnsavedGuard dirty={changed.length > 0} busy={state.pending} />
        {state.shared ? <UniqueDialog errors={state.shared} onClose={state.closeShared} /> : null}
      </div>
    </div>
  )
}

const countOf = (modules: readonly SettingModule[], id: string, changed: readonly string[]) =>
  modules.find((one) => one.id === id)?.settings.filter((one) => changed.includes(one.id)).length ?? 0

const toggled = (open: ReadonlySet<string>, id: string) =>
  open.has(id) ? new Set([...open].filter((one) => one !== id)) : new Set([...open, id])

function Anchor({ href, label, count, onOpen }: { href: string; label: string; count: number; onOpen: () => void }) {
  return (
    <a
      href={href}
      onClick={(event) => {
        event.preventDefault()
        onOpen()
      }}
      className="flex min-h-8 items-center justify-between gap-2 rounded-control px-2.5 py-1 text-table transition-colors hover:bg-sunken pointer-coarse:min-h-11"
    >
      {label}
      {count > 0 ? (
        <span className="rounded-control bg-ok-tint px-1.5 font-medium text-brand text-note tabular-nums">{count}</span>
      ) : null}
    </a>
  )
}

/** Whether mails and SMS arrive. It is outside of the form, because it sends at once. */
function Tests({ title }: { title: string }) {
  return (
    <section aria-label={title} className="@container rounded-card border border-line bg-surface">
      <h2 className="px-4 py-3.5 font-semibold sm:px-5">{title}</h2>
      <TestMessage kind="mail" />
      <TestMessage kind="sms" />
    </section>
  )
}
