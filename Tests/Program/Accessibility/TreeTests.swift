import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// What other programs read of running demos over the accessibility bus, and do with them.
  @Suite("Trees of running programs") struct TreeTests {
    private let assisted: AssistedDesktop

    init() async throws {
      try Requirement.pyatspi()
      assisted = try await AssistedDesktop("IsEnabled")
    }

    /// `find` waits for an element, `tell` prints it in a line, `walk` prints all that are in it, too.
    private static let functions = """
      import pyatspi, sys, time
      # Each answer is the program's own, not what was read before.
      pyatspi.Registry.getDesktop(0).set_cache_mask(0)
      def states(e): return [s.value_nick for s in e.getState().getStates()]
      def everything(e):
        yield e
        for child in e:
          if child: yield from everything(child)
      def find(role, name, is_ready=lambda e: True):
        for _ in range(2400):
          try:
            for program in pyatspi.Registry.getDesktop(0):
              for e in everything(program) if program else []:
                if (e.getRoleName(), e.name) == (role, name) and is_ready(e): return e
          # An element may go while it is asked.
          except (LookupError, RuntimeError, NotImplementedError): pass
          time.sleep(0.05)
        sys.exit(f'no {role} {name!r} is as it has to be')
      def tell(e, depth=0):
        (parts, kinds, bits) = ([e.getRoleName(), repr(e.name)], pyatspi.listInterfaces(e), states(e))
        if e.description: parts.append(f'({e.description})')
        parts += sorted(set(bits) - {'enabled', 'sensitive', 'showing', 'visible', 'selectable-text'})
        if 'sensitive' not in bits: parts.append('disabled')
        if 'Value' in kinds:
          value = e.queryValue()
          parts.append(f'{value.currentValue} of {value.minimumValue} to {value.maximumValue}')
        if 'Text' in kinds: parts.append('text ' + repr(e.queryText().getText(0, -1)))
        if 'Action' in kinds: parts += [e.queryAction().getName(i) for i in range(e.queryAction().nActions)]
        parts += [f'{r.getRelationType().value_nick} {r.getTarget(0).getRoleName()}' for r in e.getRelationSet()]
        print('  ' * depth + ' '.join(parts))
      def walk(e, depth=0):
        tell(e, depth)
        for child in e: walk(child, depth + 1)

      """

    /// Runs a script, and answers what it has printed.
    private func answer(of script: String, _ program: Program) async throws -> String {
      let folder = try TemporaryFolder()
      let process = try ChildProcess(
        ["/usr/bin/python3", "-W", "ignore", "-c", Self.functions + script],
        environment: try assisted.environment(home: folder), output: folder.file("out"), errors: folder.file("err"))
      let ending = try await process.wait(limit: .seconds(300))
      guard ending == .exited(0) else {
        throw DeskFailure(text(of: folder.file("err")), evidence: text(of: folder.file("out")) + program.evidence)
      }
      return text(of: folder.file("out"))
    }

    @Test("pyatspi walks Gallery, and does with it what it offers", .enabled(if: Requirement.program("Gallery")))
    func gallery() async throws {
      let program = try assisted.start("Gallery")
      defer { program.send(SIGTERM) }
      let form = try await answer(
        of: """
          find('entry', 'Name', lambda e: 'focused' in states(e))
          walk(find('frame', 'Gallery'))
          """, program)
      #expect(form == Self.form)
      // The control that is disabled, before others: it would have changed with them.
      let answers = try await answer(
        of: """
          find('check box', 'Insured').queryAction().doAction(0)
          find('check box', 'Parcels too').queryAction().doAction(0)
          find('slider', 'Quality').queryValue().currentValue = 0.75
          find('entry', 'Name').queryEditableText().setTextContents('Ada')
          tell(find('check box', 'Parcels too', lambda e: 'checked' in states(e)))
          tell(find('progress bar', 'Quality', lambda e: e.queryValue().currentValue == 0.75))
          tell(find('push button', 'Send', lambda e: 'sensitive' in states(e)))
          for role, name in ('entry', 'Name'), ('check box', 'Insured'): tell(find(role, name))
          tabs = find('page tab list', 'Pages').querySelection()
          tabs.selectChild(1)
          pictures = find('list', 'Pictures', lambda e: 'focused' in states(e))
          tell(pictures[1])
          print(sorted(pictures[1].getAttributes()))
          tabs.selectChild(2)
          numbers = find('list', 'Numbers', lambda e: 'focused' in states(e))
          tell(numbers[1])
          table = numbers.queryTable()
          print(table.nRows, table.nColumns, table.getIndexAt(1, 0), table.getAccessibleAt(1, 0).name)
          """, program)
      #expect(
        answers == """
          check box 'Parcels too' checkable checked focusable press
          progress bar 'Quality' horizontal 0.75 of 0.0 to 1.0
          push button 'Send' focusable press
          entry 'Name' editable focusable focused single-line text 'Ada' labelled-by label
          check box 'Insured' checkable disabled press
          list item 'Weave 2' focusable selectable press
          ['posinset:2', 'setsize:1000', 'toolkit:Proscenium']
          list item '2' focusable selectable press
          1000000 1 1 2

          """)
    }

    private static let form = """
      frame 'Gallery' active
        menu bar ''
          menu 'File' collapsed expandable has-popup press
          menu 'Edit' collapsed expandable has-popup press
          menu 'Picture' collapsed expandable has-popup press
          menu 'View' collapsed expandable has-popup press
        page tab list 'Pages' focusable
          page tab 'Form' focusable selectable selected press
          page tab 'Pictures' focusable selectable press
          page tab 'Numbers' focusable selectable press
          page tab 'Motion' focusable selectable press
        scroll pane ''
          label 'Texts' text 'Texts'
          label 'Name' text 'Name' label-for entry
          entry 'Name' editable focusable focused single-line text '' labelled-by label
          label 'Country' text 'Country' label-for entry
          entry 'Country' editable focusable single-line text '' labelled-by label
          label 'Password' text 'Password' label-for password text
          password text 'Password' editable focusable single-line text '' labelled-by label
          label 'Born' text 'Born' label-for spin button
          spin button 'Born' focusable 946684800.0 of -62135769600.0 to 64092211200.0 \
      text '01/01/2000' labelled-by label
          label 'About you' text 'About you' label-for text
          text 'About you' editable focusable multi-line text '' labelled-by label
          link 'All scripts' focusable press
          label 'Choices' text 'Choices'
          label 'News' text 'News' label-for toggle button
          toggle button 'News' checkable focusable press labelled-by label
          check box 'Parcels too' checkable focusable press
          check box 'Insured' checkable disabled press
          label 'Size' text 'Size'
          radio button 'Small' checkable focusable press
          radio button 'Medium' checkable focusable press
          radio button 'Large' checkable focusable press
          label 'Way' text 'Way' label-for panel
          panel 'Way' focusable labelled-by label
            radio button 'Post' checkable focusable press
            radio button 'Rail' checkable focusable press
            radio button 'Air' checkable focusable press
          label 'Paper' text 'Paper' label-for combo box
          combo box 'Paper' (The paper of the letters) collapsed expandable focusable has-popup \
      text 'Laid' press labelled-by label
          label 'Ink' text 'Ink' label-for push button
          push button 'Ink' (#1A66D6) focusable has-popup text '#1A66D6' press labelled-by label
          label 'Numbers' text 'Numbers'
          label 'Copies' text 'Copies' label-for spin button
          spin button 'Copies' editable focusable 1.0 of 1.0 to 99.0 text '1' labelled-by label
          label 'Quality' text 'Quality' label-for slider
          slider 'Quality' focusable horizontal 0.5 of 0.0 to 1.0 labelled-by label
          progress bar 'Quality' horizontal 0.5 of 0.0 to 1.0
          label 'Steps' text 'Steps' label-for spin button
          spin button 'Steps' focusable 0.0 of 0.0 to 100.0 labelled-by label
          label '0 steps' text '0 steps'
          label 'At work' text 'At work' label-for toggle button
          toggle button 'At work' checkable focusable press labelled-by label
          progress bar 'Waiting' horizontal indeterminate
          push button 'Send' disabled press

      """

    @Test("pyatspi reads the lines that Meter draws", .enabled(if: Requirement.program("Meter")))
    func meter() async throws {
      let program = try assisted.start("Meter", "--upload", "--upload-seconds", "1")
      defer { program.send(SIGTERM) }
      let answers = try await answer(of: "walk(find('frame', 'Meter: uploaded'))", program)
      #expect(
        answers.replacing(/[0-9]:[0-9]{2}/, with: "0:00") == """
          frame 'Meter: uploaded' active
            label '0:00' text '0:00'
            progress bar 'Upload' 100.0 of 0.0 to 100.0

          """)
    }
  }
}
