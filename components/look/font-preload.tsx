import cyrillic from '@fontsource-variable/golos-text/files/golos-text-cyrillic-wght-normal.woff2' with {
  turbopackModuleType: 'asset',
}
import latin from '@fontsource-variable/golos-text/files/golos-text-latin-wght-normal.woff2' with {
  turbopackModuleType: 'asset',
}

/** Asks for the font's files along with the page, not after its styles. English needs no Cyrillic one. */
export function FontPreload({ locale }: { locale: string }) {
  const files = locale === 'en' ? [latin] : [cyrillic, latin]
  return files.map((file) => <link key={file} rel="preload" as="font" type="font/woff2" crossOrigin="" href={file} />)
}
