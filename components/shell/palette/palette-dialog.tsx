'use client'

import * as Dialog from '@radix-ui/react-dialog'
import { Command } from 'cmdk'
import { ArrowRight, Check, Languages, LogOut, Monitor, Moon, Plus, Search, Sun } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { leaveThen } from '../../ui/leaving'
import { useReturnFocus } from '../../ui/use-return-focus'
import { chooseTheme, type Theme, themes, useChooseLanguage, useTheme } from '../choices'
import { type IconName, ScreenIcon } from '../screen-icon'
import { ServiceMark } from '../service-mark'
import { useSignOut } from '../use-sign-out'
import { paletteScore } from './keys'
import { type RecordSource, useRecords } from './use-records'

export type PaletteEntry = {
  label: string
  /** Further texts that match a search, such as its name in the other language. */
  keywords: string[]
  href: string
  /** Whether it is on another site, so that the person leaves the page. */
  outer: boolean
} & (
  | { kind: 'page' /** The name of the page. */; id: IconName }
  | { kind: 'service'; id: string }
  /** `note`: its place in the menus. */
  | { kind: 'create'; id: string; note: string }
)
/** Entries under a heading. With `source`, the records of that list which match the search are added. */
export type PaletteGroup = { heading: string; entries: PaletteEntry[]; icon?: IconName; source?: RecordSource }

export type PaletteProps = {
  groups: PaletteGroup[]
  theme: Theme
  languages: { code: string; name: string }[]
  locale: string
}
export type PaletteDialogProps = PaletteProps & { open: boolean; onOpenChange: (open: boolean) => void }

const headings =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-note [&_[cmdk-group-heading]]:text-ink-second'

type ItemProps = {
  id: string
  label: string
  icon: ReactNode
  keywords?: string[]
  onSelect: () => void
  children?: ReactNode
}

/** The prefix of the keys of records; no entry's key begins with it. */
const record = 'record '

const themeIcons = { light: Sun, dark: Moon, system: Monitor }
const small = { 'aria-hidden': true, strokeWidth: 1.75, className: 'size-5 shrink-0' } as const

function Item({ id, label, icon, keywords = [], onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={id}
      keywords={[label, ...keywords]}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 data-[selected=true]:bg-sunken pointer-coarse:min-h-11"
    >
      <span className="flex w-6 shrink-0 justify-center text-ink-second">{icon}</span>
      <span className="min-w-0 grow break-words">{label}</span>
      {children}
    </Command.Item>
  )
}

/** The dialog of the search, used by arrow keys and Enter, or by touch. The current choices are marked. */
export function PaletteDialog({
  groups,
  theme: serverTheme,
  languages,
  locale,
  open,
  onOpenChange,
}: PaletteDialogProps) {
  const t = useTranslations('shell')
  const common = useTranslations('common')
  const router = useRouter()
  const theme = useTheme(serverTheme)
  const { remember, giveBack } = useReturnFocus()
  const chooseLanguage = useChooseLanguage()
  const { signOut } = useSignOut(common('signOutFailed'))
  const [text, setText] = useState('')
  const sources = useMemo(() => groups.flatMap(({ source }) => source ?? []), [groups])
  const { state, groups: recordGroups, failed } = useRecords(sources, open ? text : '', locale)
  useEffect(() => {
    if (!open) setText('')
  }, [open])
  const show = (href: string) => leaveThen(() => router.push(href))
  const closeThen = (act: () => void) => () => {
    onOpenChange(false)
    act()
  }
  const go = ({ href, outer }: PaletteEntry) =>
    leaveThen(() => (outer ? window.location.assign(href) : router.push(href)))
  const chosen = (is: boolean) =>
    is ? (
      <span className="flex shrink-0 items-center gap-1 text-note text-ink-second">
        <Check aria-hidden="true" className="size-4 text-brand" />
        {t('palette.chosen')}
      </span>
    ) : null
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-[rgb(0_0_0/0.45)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={giveBack}
          className="fixed top-[max(1rem,12dvh)] left-1/2 z-50 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 rounded-card border border-line bg-surface text-ink text-table shadow-float"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <Command
            loop
            label={t('palette.title')}
            filter={(value, search, keywords) =>
              // the server has already matched these records; they come last, so that no entry moves under a finger
              value.startsWith(record) ? 0.01 : paletteScore((keywords ?? []).join(' '), search)
            }
          >
            <div className="flex items-center gap-3 border-line border-b px-4">
              <Search aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-ink-second" />
              <Command.Input
                value={text}
                onValueChange={setText}
                placeholder={t('palette.placeholder')}
                className="min-h-12 w-full min-w-0 bg-transparent text-body outline-none placeholder:text-ink-second"
              />
            </div>
            <Command.List
              label={t('palette.title')}
              className={`max-h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-1.5 ${headings}`}
            >
              {state === 'searching' ? (
                <Command.Loading className="px-3 py-2 text-ink-second text-note" label={t('palette.searching')}>
                  {t('palette.searching')}
                </Command.Loading>
              ) : (
                <Command.Empty className="px-3 py-8 text-center text-ink-second">{t('palette.empty')}</Command.Empty>
              )}
              {failed ? (
                <p role="status" className="px-3 py-2 text-note text-warning">
                  {t('palette.failed')}
                </p>
              ) : null}
              {recordGroups.map(({ source, records, all }) => {
                const group = groups.find((candidate) => candidate.source === source)
                return (
                  <Command.Group key={source.path} heading={group?.heading}>
                    {records.map(({ id, label, href }) => (
                      <Item
                        key={id}
                        id={`${record}${id}`}
                        label={label}
                        icon={group?.icon ? <ScreenIcon name={group.icon} /> : null}
                        onSelect={closeThen(() => show(href))}
                      />
                    ))}
                    {all ? (
                      <Item
                        id={`${record}all ${source.path}`}
                        label={t('palette.all', { list: group?.heading ?? '' })}
                        icon={<ArrowRight {...small} />}
                        onSelect={closeThen(() => show(all))}
                      />
                    ) : null}
                  </Command.Group>
                )
              })}
              {groups.map(({ heading, entries }) =>
                entries.length === 0 ? null : (
                  <Command.Group key={heading} heading={heading}>
                    {entries.map((entry) => (
                      <Item
                        key={entry.id}
                        id={entry.id}
                        label={entry.label}
                        icon={
                          entry.kind === 'page' ? (
                            <ScreenIcon name={entry.id} />
                          ) : entry.kind === 'create' ? (
                            <Plus {...small} />
                          ) : (
                            <ServiceMark title={entry.label} size="S" />
                          )
                        }
                        keywords={[heading, ...entry.keywords]}
                        onSelect={closeThen(() => go(entry))}
                      >
                        {entry.kind === 'create' ? (
                          <span className="shrink-0 text-ink-second text-note max-xs:hidden">{entry.note}</span>
                        ) : null}
                      </Item>
                    ))}
                  </Command.Group>
                ),
              )}
              <Command.Group heading={t('palette.actions')}>
                {themes.map((value) => {
                  const Icon = themeIcons[value]
                  return (
                    <Item
                      icon={<Icon {...small} />}
                      key={value}
                      id={`theme ${value}`}
                      label={t('palette.useTheme', { theme: t(`themes.${value}`).toLocaleLowerCase(locale) })}
                      keywords={['theme', 'тема', value]}
                      onSelect={closeThen(() => chooseTheme(value))}
                    >
                      {chosen(value === theme)}
                    </Item>
                  )
                })}
                {languages.length > 1
                  ? languages.map(({ code, name }) => (
                      <Item
                        key={code}
                        id={`language ${code}`}
                        icon={<Languages {...small} />}
                        label={t('palette.useLanguage', { language: name })}
                        keywords={['language', 'язык', code]}
                        onSelect={closeThen(() => chooseLanguage(code))}
                      >
                        {chosen(code === locale)}
                      </Item>
                    ))
                  : null}
                <Item
                  id="sign out"
                  icon={<LogOut {...small} />}
                  label={common('signOut')}
                  keywords={['logout', 'sign out', 'выход', 'выйти']}
                  onSelect={closeThen(signOut)}
                />
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
