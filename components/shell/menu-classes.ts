/**
 * An entry's words in the side menu. Folded, they stand small under the icon where the setting navMiniTitle says so,
 * and are for readers alone elsewhere.
 */
export const menuWords =
  'min-w-0 break-words group-data-mini/shell:sr-only group-data-titles/shell:group-data-mini/shell:not-sr-only group-data-titles/shell:group-data-mini/shell:w-full group-data-titles/shell:group-data-mini/shell:hyphens-auto group-data-titles/shell:group-data-mini/shell:text-center group-data-titles/shell:group-data-mini/shell:text-[0.6875rem] group-data-titles/shell:group-data-mini/shell:leading-3.5'
