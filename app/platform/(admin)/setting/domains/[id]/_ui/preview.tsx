'use client'

import { Eye, EyeOff, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { KnownLocale } from '@/components/form/known-locale'
import { Select } from '@/components/form/select'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { call } from '@/lib/base/http/client'
import type { Domain, readDomain } from '@/lib/site/domains/contract'
import { useKnownNames } from './known'
import type { PageWords, PreviewContent, StyleLook } from './preview-look'
import { type Device, PreviewPage } from './preview-page'
import type { LocaleValues, Values } from './values'

export type Sample = Pick<Domain, 'id' | 'locales'> & { name: string }

export type PreviewProps = {
  locales: readonly KnownLocale[]
  /** The language whose tab is open. */
  opened: string
  onOpen: (localeId: string) => void
  looks: readonly StyleLook[]
  /** By the code of the language. */
  words: Readonly<Record<string, PageWords>>
  /** The names of documents in the footer, by the code of the language and their id. */
  documentNames: Readonly<Record<string, Readonly<Record<string, string>>>>
  logo: string | null
  /** The base domain, and those whose texts a draft may take. */
  samples: readonly Sample[]
  base: string
}

type Texts = LocaleValues['settings']

/** The domain whose texts are shown: itself, or the one whose texts it takes over. */
function textsOf(values: Values, samples: readonly Sample[], base: string) {
  const ownRows = values.baseSettings ? [] : values.locales
  const sources = values.type === 'draft' ? values.domains : []
  const from = [...sources, base].flatMap((id) => samples.find((sample) => sample.id === id) ?? [])[0]
  const shownRows = ownRows.some(({ enabled }) => enabled !== false) ? ownRows : (from?.locales ?? [])
  return {
    rows: shownRows.filter(({ enabled }) => enabled !== false),
    all: shownRows,
    from,
    own: shownRows === ownRows,
  }
}

/** Returns the samples, and those of sources that were chosen since the page was read. */
function useSamples(loaded: readonly Sample[], sources: readonly string[]): readonly Sample[] {
  const [added, setAdded] = useState<readonly Sample[]>([])
  const options = [...loaded, ...added]
  const missing = sources.filter((id) => !options.some((sample) => sample.id === id)).join()
  useEffect(() => {
    let ended = false
    // without the contract, which would bring zod into the page
    for (const id of missing ? missing.split(',') : [])
      call<typeof readDomain>({ method: 'GET', path: '/setting/domains/{id}' }, { params: { id } }).then(
        ({ locales, aliases, comment }) =>
          ended || setAdded((before) => [...before, { id, locales, name: aliases[0] ?? comment }]),
        // without it the base domain's texts are shown
        () => undefined,
      )
    return () => {
      ended = true
    }
  }, [missing])
  return options
}

/** The live preview of the sign-in page, including what isn't saved yet. It follows the tab of the language. */
export function Preview(props: PreviewProps) {
  const { locales, opened, onOpen, looks, words, documentNames, logo, samples: given, base } = props
  const t = useTranslations('domains')
  const names = useKnownNames()
  const values = useWatch() as Values
  const [device, setDevice] = useState<Device>(() => (window.innerWidth < 640 ? 'phone' : 'desktop'))
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // on a phone it opens below the visible part
    if (open) toggle.current?.scrollIntoView({ block: 'start' })
  }, [open])
  const samples = useSamples(given, values.type === 'draft' ? values.domains : [])
  const { rows, all, from, own } = textsOf(values, samples, base)
  const codeOf = (localeId: string) => locales.find(({ id }) => id === localeId)?.code ?? ''
  const row = all.find(({ localeId }) => localeId === opened) ?? rows[0]
  const lent = from?.locales.find(({ localeId }) => localeId === row?.localeId)?.settings
  const draft = values.type === 'draft'
  const text = (key: Exclude<keyof Texts, 'banners' | 'technical'>) =>
    row?.settings[key] || (draft && lent ? lent[key] : '') || ''
  const code = row ? codeOf(row.localeId) : 'ru'
  const agreements = values.agreements
    .filter(({ footerVisible }) => footerVisible)
    .map(({ agreementId }) => agreementId)
  const content: PreviewContent = {
    imageCode: values.imageCode,
    logo,
    look: looks.find((look) => look.code === values.styleTemplate),
    languages: rows.map(({ localeId }) => ({
      code: codeOf(localeId),
      name: locales.find(({ id }) => id === localeId)?.name ?? '',
    })),
    language: code,
    title: text('projectTitle'),
    name: text('projectName') || text('projectTitle'),
    copyright: text('copyright'),
    site: text('siteName') || text('siteLink'),
    banners: (row?.settings.banners ?? []).flatMap((id) => {
      const banner = names.of(id)
      return banner && !banner.off
        ? [{ id, title: banner.label, text: banner.note ?? '', link: Boolean(banner.link) }]
        : []
    }),
    links: [
      ...(row?.settings.technical ?? []).flatMap(({ text: one, mobile }) => [one, mobile ?? '']),
      ...[...values.documents, ...agreements].flatMap((id) => {
        const document = names.of(id)
        return document && !document.off ? [documentNames[code]?.[id] ?? document.short ?? document.label] : []
      }),
    ],
    words: words[code] ?? (words.ru as PageWords),
  }
  const off = own && row?.enabled === false
  const hiddenBanners = (row?.settings.banners ?? []).filter((id) => names.of(id)?.off).length
  return (
    <>
      <Button
        ref={toggle}
        variant="secondary"
        aria-expanded={open}
        onClick={() => setOpen((now) => !now)}
        className="w-full scroll-mt-[calc(var(--sticky-top)+1rem)] @min-[40rem]:hidden"
      >
        {open ? <EyeOff aria-hidden="true" className="size-4" /> : <Eye aria-hidden="true" className="size-4" />}
        {t(open ? 'hidePreview' : 'showPreview')}
      </Button>
      <div className="flex flex-wrap items-center gap-2">
        {all.length > 1 ? (
          <span className="max-w-44 shrink-0 @max-[40rem]:data-[open=false]:hidden" data-open={open}>
            <Select
              aria-label={t('previewLanguage')}
              value={row?.localeId ?? ''}
              options={all.map(({ localeId }) => ({
                value: localeId,
                label: locales.find(({ id }) => id === localeId)?.name ?? localeId,
              }))}
              onChange={(localeId) => localeId && onOpen(localeId)}
            />
          </span>
        ) : null}
        <span className="flex @max-[40rem]:data-[open=false]:hidden" data-open={open}>
          <IconButton
            label={t(device === 'desktop' ? 'asPhone' : 'asDesktop')}
            onClick={() => setDevice(device === 'desktop' ? 'phone' : 'desktop')}
          >
            {device === 'desktop' ? (
              <Smartphone aria-hidden="true" className="size-5" />
            ) : (
              <Monitor aria-hidden="true" className="size-5" />
            )}
          </IconButton>
          <IconButton
            label={t(theme === 'light' ? 'asDark' : 'asLight')}
            onClick={() => setTheme(theme === 'light' ? 'dark' : 'light')}
          >
            {theme === 'light' ? (
              <Moon aria-hidden="true" className="size-5" />
            ) : (
              <Sun aria-hidden="true" className="size-5" />
            )}
          </IconButton>
        </span>
      </div>
      <div
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-2 @max-[40rem]:data-[open=false]:hidden"
        data-open={open}
      >
        <PreviewPage
          shown={content}
          device={device}
          theme={theme}
          label={t('previewLabel', { name: content.name || t('untitled'), banners: content.banners.length })}
        />
        {off ? <p className="text-note text-warning">{t('previewOff')}</p> : null}
        {hiddenBanners > 0 ? (
          <p className="text-note text-warning">{t('previewBanners', { count: hiddenBanners })}</p>
        ) : null}
        <p className="text-ink-second text-note">
          {own ? t('previewNote') : t('previewFrom', { name: from?.name ?? '' })}
        </p>
      </div>
    </>
  )
}
