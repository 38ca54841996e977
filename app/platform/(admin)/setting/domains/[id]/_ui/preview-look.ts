import type { CSSProperties } from 'react'

type Shades = { brand: string; ink: string; tint: string }

/** The colors of a style in both themes. */
export type StyleLook = { code: string; light: Shades; dark: Shades }

/** The sign-in page's own texts in a language, in addition to the texts of the domain. */
export type PageWords = Record<
  'title' | 'lead' | 'label' | 'remember' | 'rememberHint' | 'next' | 'invite' | 'help' | 'more',
  string
>

/** The variables of a style, for a part of the page that has its own theme. */
export function styleVariables(look: StyleLook | undefined, theme: 'light' | 'dark'): CSSProperties {
  const shades = look?.[theme]
  if (!shades) return {}
  return { '--brand': shades.brand, '--brand-ink': shades.ink, '--brand-tint': shades.tint } as CSSProperties
}

/** What the preview shows of a domain. */
export type PreviewContent = {
  imageCode: string
  logo: string | null
  look: StyleLook | undefined
  languages: readonly { code: string; name: string }[]
  language: string
  title: string
  name: string
  copyright: string
  site: string
  banners: readonly { id: string; title: string; text: string; link: boolean }[]
  links: readonly string[]
  words: PageWords
}
