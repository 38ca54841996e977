'use client'

import { useEffect, useRef, useState } from 'react'
import { Guilloche } from '@/components/look/guilloche'
import { Mark } from '@/components/look/mark'
import { cn } from '@/components/ui/cn'
import { ChevronDown, Contrast } from '@/components/ui/icons'
import { type PreviewContent, styleVariables } from './preview-look'

export type Device = 'desktop' | 'phone'
const sizes = { desktop: { width: 1120, height: 760 }, phone: { width: 390, height: 800 } }

type Props = { shown: PreviewContent; device: Device; theme: 'light' | 'dark'; label: string }

/** The sign-in page with this look and these texts, drawn at its own size and scaled to the available width. */
export function PreviewPage({ shown, device, theme, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const size = sizes[device]
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const scale = Math.min(1, width / size.width)
  return (
    <div ref={box} className="flex justify-center">
      <div
        role="img"
        aria-label={label}
        lang={shown.language}
        // its height is known before its width is
        style={{ maxWidth: size.width, aspectRatio: `${size.width} / ${size.height}` }}
        className="relative w-full overflow-hidden rounded-card border border-line bg-paper"
      >
        <div
          inert
          data-look={theme}
          style={{
            ...styleVariables(shown.look, theme),
            width: size.width,
            height: size.height,
            transform: `scale(${scale})`,
          }}
          className="absolute top-0 left-0 origin-top-left bg-paper text-ink"
        >
          <Page shown={shown} device={device} />
        </div>
      </div>
    </div>
  )
}

function Page({ shown, device }: { shown: PreviewContent; device: Device }) {
  const { words, banners } = shown
  const phone = device === 'phone'
  return (
    <div
      className={cn('grid h-full overflow-hidden', phone ? 'grid-rows-[auto_auto_auto_1fr]' : 'grid-cols-[1fr_34rem]')}
    >
      <div className={cn('flex min-w-0 flex-col', phone && 'contents')}>
        <div className={cn('flex min-h-16 items-center justify-between gap-4 py-3', phone ? 'px-6' : 'px-10 pt-7')}>
          <p className="flex min-w-0 items-center gap-3 font-semibold text-section">
            <Mark code={shown.imageCode} logo={shown.logo} className="text-brand" />
            <span className="wrap-anywhere line-clamp-2 min-w-0">{shown.name}</span>
          </p>
          <span className="flex shrink-0 items-center gap-5 text-ink-second text-table">
            <Contrast className="size-5" />
            {shown.languages.length > 1 ? (
              <span className="flex items-center gap-1.5">
                {shown.languages.find(({ code }) => code === shown.language)?.name}
                <ChevronDown className="size-4" />
              </span>
            ) : null}
          </span>
        </div>
        <div className={cn('grid content-start', phone ? 'px-6 pt-8 pb-10' : 'grow justify-center px-10 pt-20')}>
          <div className={cn('grid w-full gap-6', !phone && 'w-[25rem]')}>
            <div className="grid gap-1">
              <p className="font-semibold text-title">{words.title}</p>
              <p className="text-ink-second">{words.lead}</p>
            </div>
            <div className="grid gap-1.5">
              <span className="font-medium text-table">{words.label}</span>
              <span className="h-12 rounded-control border border-line-field bg-surface" />
            </div>
            <div className="flex gap-3">
              <span className="size-5 shrink-0 rounded-[5px] border border-line-field bg-surface" />
              <div className="grid">
                <span className="leading-5">{words.remember}</span>
                <span className="text-ink-second text-note">{words.rememberHint}</span>
              </div>
            </div>
            <span className="flex h-12 items-center justify-center rounded-control bg-brand font-medium text-brand-ink">
              {words.next}
            </span>
            <p className="border-line border-t pt-6 text-ink-second">{words.invite}</p>
          </div>
        </div>
        {phone ? null : <Footer shown={shown} />}
      </div>
      <div
        className={cn(
          'relative isolate flex flex-col justify-end overflow-hidden bg-brand-tint',
          phone ? 'min-h-28 px-6 py-8' : 'p-10',
        )}
      >
        <Guilloche
          form="rosette"
          className={cn('-z-10', phone ? '-top-40 -right-40 w-[26rem]' : '-top-28 -right-32 w-[40rem]')}
        />
        {banners.length > 0 ? (
          <div className="grid gap-3">
            {banners.map(({ id, title, text, link }) => (
              <div key={id} className="grid gap-1 rounded-card border border-line bg-surface p-5">
                <p className="wrap-anywhere font-semibold text-section">{title}</p>
                <p className="wrap-anywhere whitespace-pre-line text-ink-second">{text}</p>
                {link ? <p className="mt-1 text-brand underline underline-offset-4">{words.more}</p> : null}
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {phone ? <Footer shown={shown} phone /> : null}
    </div>
  )
}

function Footer({ shown, phone = false }: { shown: PreviewContent; phone?: boolean }) {
  return (
    <div className={cn('grid content-start gap-2 py-6 text-ink-second text-note', phone ? 'px-6' : 'px-10')}>
      <p className="flex flex-wrap gap-x-5 gap-y-2">
        {[shown.words.help, shown.site, ...shown.links].filter(Boolean).map((text) => (
          <span key={text} className="wrap-anywhere">
            {text}
          </span>
        ))}
      </p>
      <p className="wrap-anywhere">{shown.copyright}</p>
    </div>
  )
}
