declare module 'subset-font' {
  type Options = { targetFormat: 'woff2'; noHinting?: boolean; variationAxes?: Record<string, object> }
  function subsetFont(font: Buffer, letters: string, options: Options): Promise<Buffer>
  export = subsetFont
}
